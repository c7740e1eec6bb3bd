"""Every reason, in eager code and in a traced function: the right one, at the right line, and no other."""

import pytest

from graphdoctor.recording.format import Gradient
from tests.gradients.loop_programs import BRANCHES, CORRECT_LOOPS, LOOPS, ZEROS_AND_NONE
from tests.gradients.reason_programs import CASES, Case
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

RUNS = [
    pytest.param(case, mode, "zeros" if case in LOOPS else "None", id=f"{case.name} ({mode})")
    for case in (*CASES, *BRANCHES, *LOOPS)
    for mode in case.modes
]


@pytest.mark.parametrize(("case", "mode", "answer"), RUNS)
def test_reason_and_line(case: Case, mode: str, answer: str, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(case.text(mode))
    assert ran.error is None, ran.output
    assert [p for p in ran.recording.problems if "_describe" not in p] == []
    found = [(event.reason, (event.broken or event.place).line) for event in ran.recording.of(Gradient)]
    report = [(f.rule, f.line) for f in ran.report.findings if f.observed and f.rule.startswith("GD5")]
    event = ran.recording.of(Gradient)[0]
    assert report == [(case.rule, case.line(mode))]
    assert [reason for reason, _ in found] == [case.reason]
    assert event.answer == answer
    if case.detail is not None:
        assert event.detail == case.detail
    if case.operation is not None:
        assert event.operation == case.operation


def test_zeros_and_none_of_one_question_are_both_reported(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(ZEROS_AND_NONE)
    assert ran.error is None, ran.output
    reported = sorted((e.answer, e.reason, [s.name for s in e.sources]) for e in ran.recording.of(Gradient))
    assert reported == [("None", "unused", ["unused"]), ("zeros", "operation", ["rounded"])]


def test_loops_that_gradients_pass_are_left_alone(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(CORRECT_LOOPS)
    assert ran.error is None, ran.output
    assert ran.recording.of(Gradient) == ()
    assert ran.recording.problems == ()


def test_every_reason_has_a_program() -> None:
    from graphdoctor.recording.gradients import REASONS

    assert {case.reason for case in CASES} == set(REASONS) - {"unexplained"}
