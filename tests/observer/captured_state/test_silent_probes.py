"""The probes for silent wrongs leave the program as it is."""

import inspect

import pytest
from tests.running import TensorFlowServer

from graphdoctor.observer.process.redaction import Redactor
from graphdoctor.recording.format import Calls, Definition, Stale, State, Value, encode_event

KEEPS_NOTHING_ALIVE = """
    import gc, weakref
    import tensorflow as tf
    class Model(tf.Module):
        def __init__(self): self.rate = 0.1
        @tf.function
        def step(self, x):
            self.h = x * self.rate
            return self.h
    def make(scale):
        @tf.function
        def f(x): return x * scale
        return f
    model, f = Model(), make(2.0)
    alive = [weakref.ref(model), weakref.ref(f.python_function)]
    model.step(tf.ones([2])); model.step(tf.ones([2])); f(tf.ones([2])); f(tf.ones([2]))
    model.rate = 0.5
    model.step(tf.ones([2]))
    del model, f
    gc.collect()
    print([reference() is None for reference in alive])
    """
COUNTS_AS_BEFORE = """
    import tensorflow as tf
    k = 1.0
    @tf.function
    def f(x): return x * k
    for _ in range(7): f(tf.ones([2]))
    from tensorflow.python.eager.polymorphic_function import polymorphic_function
    (detector,) = polymorphic_function._frequent_tracing_detector_manager._detectors.values()
    print(detector._call_count, detector._calls_per_tracings)
    """


def test_redaction_hides_values_and_keys_but_not_names() -> None:
    redactor = Redactor("00" * 16)
    event = encode_event(
        Stale(
            trace=1,
            function=Definition(name="step", path="train.py", line=3),
            state=State(kind="global", name='options["rate"]'),
            then=Value(kind="value", text="0.1"),
            now=Value(kind="value", text="0.5"),
            calls=3,
        )
    )
    rate, then, now = (redactor.digest(text) for text in ("'rate'", "0.1", "0.5"))
    assert redactor.redact(event) == {
        **event,
        "state": {"kind": "global", "name": f"options[{rate}]"},
        "then": {"kind": "value", "text": then},
        "now": {"kind": "value", "text": now},
    }


@pytest.mark.tensorflow
@pytest.mark.parametrize("calls", [False, True], ids=["default", "calls"])
def test_nothing_is_kept_alive(calls: bool, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(inspect.cleandoc(KEEPS_NOTHING_ALIVE), calls=calls)
    assert ran.output.strip() == "[True, True]"
    assert [f.rule for f in ran.report.findings if f.rule == "GD215"] == ["GD215"]


@pytest.mark.tensorflow
def test_tensorflow_counts_calls_as_before(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(inspect.cleandoc(COUNTS_AS_BEFORE))
    assert ran.output.strip() == "7 [7]"
    assert [count.calls for count in ran.recording.of(Calls)] == [7]


OBSERVED_AGAIN_AND_AGAIN = """
    import tensorflow as tf
    import graphdoctor
    from tensorflow.python.eager.polymorphic_function import polymorphic_function
    k = 1.0
    for _ in range(3):
        @tf.function
        def f(x): return x * k
        with graphdoctor.observe():
            f(tf.ones([2])); f(tf.ones([2]))
    (detector,) = polymorphic_function._frequent_tracing_detector_manager._detectors.values()
    print(len(detector.listeners))
    """


@pytest.mark.tensorflow
def test_who_stops_observing_stops_listening(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(inspect.cleandoc(OBSERVED_AGAIN_AND_AGAIN))
    assert ran.output.strip() == "1"  # the run's own observer


REPORTED_ON_THE_WAY = """
    import tensorflow as tf
    import graphdoctor
    k = 1.0
    @tf.function
    def f(x): return x * k
    with graphdoctor.observe() as observation:
        f(tf.ones([2]))
        print([finding.rule for finding in observation.report().findings if finding.observed])
        k = 2.0
        f(tf.ones([2]))
        print([finding.rule for finding in observation.report().findings if finding.observed])
    k = 3.0
    f(tf.ones([2]))
    print([finding.observed.calls for finding in observation.report().findings if finding.observed])
    """


@pytest.mark.tensorflow
def test_a_report_on_the_way_ends_nothing_and_a_pause_is_not_counted(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(inspect.cleandoc(REPORTED_ON_THE_WAY))
    assert ran.output.splitlines() == ["[]", "['GD214']", "[1]"]
