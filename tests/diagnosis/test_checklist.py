"""Each line of the checklist follows from what was measured."""

import pytest
from msgspec.structs import replace
from tests.making import make_recording, make_trace
from tests.measuring import make_phase, make_step

from graphdoctor.diagnosis.checklist import check_all
from graphdoctor.diagnosis.configuration import Check
from graphdoctor.diagnosis.measurements import Leaf, Measurements, Part, Step
from graphdoctor.recording.format import Compilations, CompiledShape

step = make_step


def compiled(*calls):
    """A recording of one function that XLA compiled for so many shapes, each called so often."""
    shapes = tuple(
        CompiledShape(shapes=f"[4, {size}]", first_seconds=2.1, best_seconds=0.1, calls=often)
        for size, often in enumerate(calls)
    )
    trace = make_trace(options={"jit_compile": "True"})
    return make_recording(trace, Compilations(trace=trace.number, shapes=shapes))


def checks(*steps, **phase):
    found = check_all(None, Measurements((make_phase(*steps, **phase),)), None)
    return {check.name: check for check in found}


def test_a_healthy_trainer_passes_every_line():
    found = checks(step(tracing=5.0), *[waiting(0.0)] * 3)

    assert list(found.values()) == [
        Check("configuration", None, "no --config was given"),
        Check("train: batch shapes", True, "the same in 4 steps"),
        Check("train: step inputs", True, "tensors only"),
        Check("train: traces after the first step", True, "none in 4 steps"),
        Check("train: results", True, "finite"),
        Check("train: first step", None, "5.1 s, 5.0 s of it for 1 trace: as much as 51 warm steps"),
        Check("train: step time", True, "0.1 s ± 0 ms over 3 warm steps"),
        Check("train: waiting for input", True, "0 ms per step (0 % of the time)"),
        Check(
            "train: graph execution",
            None,
            "the later steps are too short to see what they are made of",
            missing=True,
        ),
        Check("time lost to tracing", True, "0 % of the time after the first steps (0 ms of 0.3 s)"),
    ]


def test_changing_lengths_are_named_with_tensor_axis_and_sizes():
    found = checks(step(80, tracing=5.0), step(90, tracing=4.0), step(70, tracing=4.0))

    assert found["train: batch shapes"] == Check(
        "train: batch shapes", False, '3 shapes in 3 steps: `batch["mel"]` axis 1: 80, 90, 70'
    )
    assert found["train: traces after the first step"] == Check(
        "train: traces after the first step", False, "2 traces (8.0 s) in 3 steps"
    )
    assert found["train: step time"].sentence == "not one of 3 steps ran warm"
    assert found["time lost to tracing"] == Check(
        "time lost to tracing", False, "98 % of the time after the first steps (8.0 s of 8.2 s)"
    )


def test_changing_lengths_behind_one_trace_are_no_fault():
    found = checks(step(80, tracing=5.0), step(90), step(70))

    assert found["train: batch shapes"] == Check(
        "train: batch shapes",
        True,
        '3 shapes in 3 steps: `batch["mel"]` axis 1: 80, 90, 70; one trace serves them all',
    )


def test_one_trace_per_bucket_is_no_fault():
    found = checks(step(80, tracing=5.0), step(40, tracing=5.0), step(80), step(40))

    assert found["train: traces after the first step"] == Check(
        "train: traces after the first step",
        True,
        "1 trace (5.0 s) in 4 steps, one per shape as with buckets",
    )
    assert found["train: batch shapes"].passed is None


def test_a_changing_rank_is_named():
    flat = Step(0.1, 0, 0.0, True, (Leaf('batch["mel"]', "float32", (4,)),))

    found = checks(step(tracing=1.0), flat)

    assert found["train: batch shapes"].sentence.startswith(
        '2 shapes in 2 steps: `batch["mel"]` has rank 1 and 3'
    )


def test_python_objects_among_the_inputs_are_named():
    found = checks(step(extra=(Leaf('batch["config"]', type="dict"),)), step())

    assert found["train: step inputs"] == Check(
        "train: step inputs", False, '`batch["config"]` is a Python dict'
    )


def test_results_that_are_not_finite_are_named():
    assert checks(step(), step(finite=False), step(finite=False))["train: results"] == Check(
        "train: results", False, "NaN or infinite in 2 of 3 steps, first in step 2"
    )


def test_an_unsteady_step_time_is_said_but_no_fault():
    found = checks(step(), step(seconds=0.1), step(seconds=0.1), step(seconds=2.0))

    assert found["train: step time"] == Check(
        "train: step time", None, "0.7 s ± 0.9 s over 3 warm steps: unsteady, measure on a quiet machine"
    )


def test_a_second_trace_that_takes_every_later_shape_is_no_fault():
    found = checks(step(80, tracing=5.0), step(90, tracing=5.0), step(70), step(60))

    assert found["train: traces after the first step"] == Check(
        "train: traces after the first step",
        True,
        "1 trace (5.0 s) in 4 steps, which then took every shape",
    )
    assert found["train: batch shapes"].passed is True


def test_steps_that_are_never_traced_are_called_eager():
    found = checks(step(80), step(90))

    assert found["train: traces after the first step"] == Check(
        "train: traces after the first step", None, "no tf.function was traced: the steps run eagerly"
    )
    assert found["train: batch shapes"] == Check(
        "train: batch shapes",
        None,
        '2 shapes in 2 steps: `batch["mel"]` axis 1: 80, 90; nothing was traced for them',
    )


def test_a_function_that_was_traced_before_is_not_called_eager():
    found = checks(step(), step(), function=True)

    assert found["train: traces after the first step"].sentence == "none in 2 steps"


def test_one_step_proves_nothing():
    found = checks(step(tracing=1.0))

    for line in ("train: batch shapes", "train: traces after the first step", "time lost to tracing"):
        assert found[line] == Check(line, None, "there was only one step: nothing to compare it with")


def test_the_last_batch_again_tells_the_time_where_no_step_was_warm():
    found = checks(step(80, tracing=5.0), step(90, tracing=5.0), repeated=(0.2, 0.2, 0.2))

    assert found["train: step time"] == Check(
        "train: step time",
        True,
        "0.2 s ± 0 ms over 3 repetitions of the last batch: every step had another shape",
    )


@pytest.mark.parametrize(
    ("calls", "passed", "sentence"),
    [
        ((5,), True, "1 compilation behind 1 trace"),
        ((3, 1, 2), True, "3 compilations behind 1 trace (4.0 s), one per shape as with buckets"),
        ((1, 1, 4), False, "3 compilations behind 1 trace: XLA compiles every new shape (4.0 s)"),
    ],
)
def test_compilations_that_serve_again_are_no_fault(calls, passed, sentence):
    measured = Measurements((make_phase(step(tracing=1.0), step()),))

    found = {check.name: check for check in check_all(None, measured, compiled(*calls))}

    assert found["XLA compilations"] == Check("XLA compilations", passed, sentence)


def waiting(waited, **more):
    return replace(step(**more), input_seconds=waited)


def test_steps_that_wait_for_their_input_fail_a_line():
    found = checks(step(tracing=5.0), waiting(0.3), waiting(0.3), function=True)

    assert found["train: waiting for input"] == Check(
        "train: waiting for input", False, "0.3 s per step (75 % of the time)"
    )


def test_a_step_that_draws_its_own_batch_holds_the_wait():
    found = checks(step(tracing=5.0), step(), step(), function=True, waited_seconds=0.18)

    assert found["train: waiting for input"] == Check(
        "train: waiting for input", False, "90 ms per step (90 % of the time)"
    )


@pytest.mark.parametrize(
    ("wait", "seconds"), [(0.005, 0.1), (0.0015, 0.0001)], ids=["5 %", "of Python itself"]
)
def test_a_short_wait_is_no_fault(wait, seconds):
    found = checks(step(tracing=5.0), waiting(wait, seconds=seconds), waiting(wait, seconds=seconds))

    assert found["train: waiting for input"].passed is True


def test_steps_that_are_mostly_a_graph_pass():
    parts = {"graph execution": Part(0.9), "other Python": Part(0.1), "tracing": Part(5.0)}
    found = checks(step(tracing=5.0), step(), step(), parts=parts)

    assert found["train: graph execution"] == Check(
        "train: graph execution", True, "90 % of the time inside the later steps"
    )


def test_steps_that_are_mostly_eager_fail_with_the_line():
    parts = {"graph execution": Part(0.1), "eager operations": Part(0.9, "train.py", 12)}
    found = checks(step(tracing=5.0), step(), step(), parts=parts)

    assert found["train: graph execution"] == Check(
        "train: graph execution",
        False,
        "10 % of the time inside the later steps; eager operations (train.py:12) 90 %",
    )


def test_short_steps_without_any_graph_fail():
    assert checks(step(), step())["train: graph execution"] == Check(
        "train: graph execution", False, "nothing runs as a graph: decorate the steps with `@tf.function`"
    )


def test_the_first_batch_of_an_epoch_also_builds_the_pipeline():
    found = checks(step(tracing=5.0), waiting(None), waiting(0.0), waiting(None), waiting(0.001))

    assert found["train: waiting for input"].passed is True

    found = checks(step(tracing=5.0), waiting(None), waiting(None))

    assert found["train: waiting for input"] == Check(
        "train: waiting for input", None, "each epoch had one batch, whose wait also builds the pipeline"
    )


def test_a_wait_inside_the_graph_that_could_not_be_measured_is_said():
    found = checks(step(tracing=5.0), step(), step(), function=True, pulls_input=True)

    assert found["train: waiting for input"] == Check(
        "train: waiting for input", None, "could not be measured", missing=True
    )
