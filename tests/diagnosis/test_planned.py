"""The batches of the long run are planned from what was measured."""

import pytest
from tests.measuring import make_phase, make_step

from graphdoctor.diagnosis.lengths import batch_lengths, example_lengths, rows_of, varying_axes
from graphdoctor.diagnosis.planned import plan_long_run

SIZES = [120, 80, 200, 160, 90, 110]


def sick_phase(seconds_per_frame=0.001, trace=5.0, vectors=True):
    """Every step has another length, takes time in proportion to it, and is traced."""
    steps = []
    for size in SIZES:
        lengths = {'batch["mel_length"]': (size, size // 2, size // 3, 0)} if vectors else {}
        extra = {"vectors": {**lengths, 'batch["speaker"]': (1, 2, 3, 4)}}
        steps.append(make_step(size, seconds_per_frame * size, trace, **extra))
    return make_phase(*steps, repeated=(seconds_per_frame * SIZES[-1],) * 3)


def test_varying_axes_are_named_once_by_the_largest_tensor_with_their_lengths():
    phase = sick_phase()

    (axis,) = varying_axes(phase)

    assert (str(axis), axis.sizes, axis.vector) == (
        '`batch["mel"]` axis 1',
        tuple(SIZES),
        'batch["mel_length"]',
    )
    assert rows_of(phase) == 4
    assert example_lengths(phase, (axis,))[:3] == [(120,), (60,), (40,)]
    assert len(example_lengths(phase, (axis,))) == 3 * len(SIZES)


def test_a_vector_that_once_differs_from_the_size_is_no_length():
    steps = [make_step(size, vectors={"n": (size, 1)}) for size in (50, 60)]
    phase = make_phase(*steps, make_step(70, vectors={"n": (69, 1)}))

    (axis,) = varying_axes(phase)

    assert axis.vector is None
    assert example_lengths(phase, (axis,)) == []
    assert batch_lengths((axis,)) == [(50,), (60,), (70,)]


def test_text_and_mel_are_planned_together():
    phase = make_phase(*(make_step(size, text=size // 8) for size in SIZES))

    assert [str(axis) for axis in varying_axes(phase)] == [
        '`batch["text"]` axis 1',
        '`batch["mel"]` axis 1',
    ]


def test_the_number_of_rows_is_no_length():
    from graphdoctor.diagnosis.measurements import Leaf, Step

    steps = [Step(0.1, 0, 0.0, True, (Leaf("batch", "float32", (rows, 9)),)) for rows in (8, 8, 3)]

    assert varying_axes(make_phase(*steps)) == ()
    assert plan_long_run(make_phase(*steps), False, 100) is None


def test_costs_come_from_the_steps():
    plan = plan_long_run(sick_phase(), False, 1000)

    assert plan.trace_seconds == pytest.approx(5.0, rel=0.01)
    assert plan.step_seconds == pytest.approx(0.11)
    assert plan.source == '`batch["mel_length"]`'
    assert plan.lengths == 18


def test_one_trace_for_all_lengths_beats_a_trace_for_each():
    plan = plan_long_run(sick_phase(), False, 1000)

    assert [way.name for way in plan.ways] == ["sorted_pools, `None` lengths", "buckets", "pad to"]
    assert plan.today.traces > 5
    assert plan.ways[0].traces == 1
    assert plan.saved == plan.today.seconds - plan.ways[0].seconds
    assert plan.saved > 5 * 5.0
    assert plan.ways[2].lengths == ((200,),)


def test_under_xla_few_lengths_beat_one_trace():
    steps = [make_step(size, 0.001 * size + 20.0, vectors={"n": (size, 30)}) for size in SIZES]

    plan = plan_long_run(make_phase(*steps, repeated=(0.11,) * 3), True, 1000)

    assert plan.compilation_seconds == pytest.approx(20.0, rel=0.01)
    assert plan.ways[0].name in ("buckets", "pad to")
    assert plan.today.compilations > plan.ways[0].compilations
    assert all(max(bound) <= 200 for bound in plan.ways[0].lengths)


def test_without_lengths_of_examples_the_batches_are_planned_as_they_are():
    plan = plan_long_run(sick_phase(vectors=False), False, 600)

    assert plan.ways[0].name == "the same batches, `None` lengths"
    assert plan.ways[0].padding == 0
    assert (plan.lengths, plan.source) == (6, 'of batches: `batch["mel"]` axis 1')
    assert plan.today.traces == len(SIZES)


def test_where_no_step_was_warm_nothing_is_planned():
    phase = make_phase(*(make_step(size, tracing=5.0) for size in SIZES))

    assert plan_long_run(phase, False, 1000) is None
