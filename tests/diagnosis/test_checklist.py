"""Each line of the checklist follows from what was measured."""

import pytest

from graphdoctor.diagnosis.checklist import Check, check_all
from graphdoctor.diagnosis.measurements import Leaf, Measurements, Phase, Step


def step(mel=80, seconds=0.1, tracing=0.0, finite=True, extra=()):
    leaves = (Leaf('batch["mel"]', "float32", (4, mel, 16)), *extra)
    return Step(seconds + tracing, 1 if tracing else 0, tracing, finite, leaves)


def checks(*steps, config=None):
    found = check_all(config, Measurements((Phase("train", steps),)), None)
    return {check.name: check for check in found}


def test_a_healthy_trainer_passes_every_line():
    found = checks(step(tracing=5.0), step(), step(), step())

    assert list(found.values()) == [
        Check("configuration", None, "no --config was given"),
        Check("train: batch shapes", True, "the same in 4 steps"),
        Check("train: step inputs", True, "tensors only"),
        Check("train: traces after the first step", True, "none in 4 steps"),
        Check("train: results", True, "finite"),
        Check("train: step time", True, "0.1 s ± 0 ms over 3 warm steps"),
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
    assert checks(step(), step(finite=False))["train: results"] == Check(
        "train: results", False, "NaN or infinite in step 2"
    )


def test_an_unsteady_step_time_is_said_but_no_fault():
    found = checks(step(), step(seconds=0.1), step(seconds=0.1), step(seconds=2.0))

    assert found["train: step time"] == Check(
        "train: step time", None, "0.7 s ± 0.9 s over 3 warm steps: unsteady, measure on a quiet machine"
    )


@pytest.mark.parametrize(
    ("config", "passed", "sentence"),
    [
        ({"data": {"batch_size": 56}}, True, "batch_size is 56"),
        ({"data": {"batch_size": None}}, False, "batch_size is not set"),
        ({"batch_size": -3}, False, "batch_size is -3"),
        ({"max_mel_frames": 0}, False, "max_mel_frames is 0"),
        (
            {"pad_to_fixed_length": True},
            False,
            "pad_to_fixed_length is true and needs max_text_length and max_mel_frames",
        ),
        ({"pad_to_fixed_length": "yes"}, False, "pad_to_fixed_length is 'yes'"),
    ],
)
def test_the_configuration_is_checked(config, passed, sentence):
    assert checks(step(), config=config)["configuration"] == Check("configuration", passed, sentence)
