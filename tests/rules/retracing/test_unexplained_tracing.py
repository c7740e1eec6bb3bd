"""GD199: must not fire, must fire."""

import pytest
from tests.making import at, judged, make_trace, tensor, value
from tests.running import TensorFlowServer

from graphdoctor.model import Severity
from graphdoctor.recording import Trace

RULE = "GD199"
LIBRARY = {"library": True, "chain": at("train.py", 9, entered="predict"), "origin": "dataset"}


def of_a_library(number: int, **changes: object) -> list[Trace]:
    return [make_trace(object=n, **LIBRARY, **changes) for n in range(1, number + 1)]


def one_after_the_other(number: int, calls: int) -> list[Trace]:
    """Function objects of one definition, each of which is called so often before the next is made."""
    return [make_trace(object=n + 1, calls=n * calls) for n in range(number)]


def under_contexts(number: int, **changes: object) -> list[Trace]:
    return [make_trace(context={"device": str(n)}, **changes) for n in range(number)]


@pytest.mark.parametrize(
    ("traces", "calls", "seconds"),
    [
        pytest.param([make_trace(value("n", n)) for n in range(9)], 9, 9.0, id="GD101 explains it"),
        pytest.param([make_trace(tensor("x", n)) for n in range(9)], 9, 9.0, id="GD103 explains it"),
        pytest.param(of_a_library(4), None, 9.0, id="few"),
        pytest.param(of_a_library(9, own_seconds=0.01), None, 9.0, id="light"),
        pytest.param(under_contexts(9), 9, 900.0, id="little of a long run"),
        pytest.param([make_trace(value("on", n == 0)) for n in range(2)], 9, 2.0, id="a flag"),
        pytest.param(
            [make_trace(value("mode", n), calls=0) for n in "ab"], 9, 2.0, id="two modes, then calls"
        ),
        pytest.param([make_trace(failed="ValueError") for _ in range(9)], 9, 9.0, id="failures"),
        pytest.param(
            one_after_the_other(6, 20), 120, 9.0, id="a function for each model, used again and again"
        ),
    ],
)
def test_must_not_fire(traces: list[Trace], calls: int | None, seconds: float) -> None:
    assert judged(RULE, *traces, calls=calls, seconds=seconds) == []


def test_what_a_library_makes_for_each_call() -> None:
    (finding,) = judged(RULE, *of_a_library(9), seconds=10.0)
    assert finding.message == (
        "the input pipeline of `predict` was traced 8 more times (4.0 s, 40 % of the run): each call "
        "creates a new one"
    )
    assert (finding.severity, finding.line) == (Severity.SLOW, 9)


def test_it_is_a_note_where_a_library_takes_little() -> None:
    (finding,) = judged(RULE, *of_a_library(9), seconds=40.0)
    assert finding.severity is Severity.NOTE


def test_causes_that_are_harmless_one_by_one() -> None:
    (finding,) = judged(RULE, *under_contexts(6), calls=50, seconds=10.0)
    assert finding.message == (
        "`step` was traced 5 more times (2.5 s, 25 % of the run) for no single cause: "
        "the context changed, not the arguments (5 times)"
    )


def test_tensorflow_warns_and_nobody_says_why() -> None:
    traces = [make_trace(context={"device": str(n)}, calls=n, own_seconds=0.001) for n in range(6)]
    (finding,) = judged(RULE, *traces, calls=6, seconds=100.0)
    assert finding.message.endswith("; TensorFlow warns of it too")
    assert finding.severity is Severity.SLOW


def test_a_few_heavy_ones_are_a_note() -> None:
    (finding,) = judged(RULE, *(make_trace(value("mode", m), own_seconds=9.0) for m in "ab"), seconds=30.0)
    assert finding.severity is Severity.NOTE
    assert finding.message == (
        "`step` was traced once more (9.0 s, 30 % of the run) for no single cause: "
        "`mode` is a Python value (1 time)"
    )


JACOBIAN = """
import tensorflow as tf

x = tf.Variable(tf.ones([4]))
for step in range(20):
    with tf.GradientTape() as tape:
        y = tf.sin(x) * x
    tape.jacobian(y, x)
"""
WITHIN_ONE_GRAPH = """
import tensorflow as tf

x = tf.Variable(tf.ones([4]))


@tf.function
def slopes():
    with tf.GradientTape() as tape:
        y = tf.sin(x) * x
    return tape.jacobian(y, x)


for step in range(20):
    slopes()
"""
FLAGS = """
import tensorflow as tf


@tf.function
def step(x, flags):
    for number, flag in enumerate(flags):
        x = tf.sin(x) + number if flag else tf.cos(x) - number
    return x


for number in range(12):
    step(tf.ones([3]), tuple(bool(number & bit) for bit in (1, 2, 4, 8)))
"""
MODES = """
import itertools
import tensorflow as tf


@tf.function
def step(x, norm, head, loss):
    for name in (norm, head, loss):
        for _ in range(9):
            x = tf.sin(x) if name in ("batch", "linear", "mse") else tf.cos(x)
    return x


for modes in itertools.product(("batch", "layer"), ("linear", "conv"), ("mse", "mae")):
    step(tf.ones([3]), *modes)
"""


@pytest.mark.tensorflow
def test_no_second_of_these_programs_is_left(tensorflow: TensorFlowServer) -> None:
    assert {f.rule for f in tensorflow.run(WITHIN_ONE_GRAPH).report.findings} == set()
    for program, rule in ((JACOBIAN, RULE), (FLAGS, "GD101"), (MODES, RULE)):
        report = tensorflow.run(program).report
        assert [finding.rule for finding in report.findings] == [rule]
        assert report.run is not None
        assert report.run.account is not None
        assert report.run.account.unexplained_seconds == 0.0
