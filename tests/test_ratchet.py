"""What was found once is found for ever: field cases and rule examples, against tests/ratchet."""

import pytest

from tests.ratcheting import Record, measure_check, names_of, note_case, read_record, score
from tests.running import TensorFlowServer
from tests.scoring import Case, all_cases

# One case of each way in which a run shows something: retraces, stale values, errors, tapes; and a clean one.
SAMPLE = ("001", "007", "019", "035", "039", "061", "081", "085", "093", "125")


@pytest.mark.corpus
def test_check_still_finds_what_it_found_and_is_as_quiet_on_programs_that_are_right() -> None:
    assert read_record("check").losses(measure_check()) == []


@pytest.mark.tensorflow
@pytest.mark.parametrize(
    "case", [case for case in all_cases() if case.name.startswith(SAMPLE)], ids=lambda case: case.name
)
def test_run_still_finds_what_it_found(case: Case, oracle: TensorFlowServer) -> None:
    now = Record()
    ran = oracle.run_once(case.program.read_text(encoding="utf-8"), calls=False)
    note_case(now, case, list(ran.report.findings), from_run=True)
    assert read_record("run").only(names_of(case)).losses(now) == []


def test_a_lost_hit_a_lost_name_and_a_new_alarm_are_reported() -> None:
    before = Record(
        hits=["one", "two"], named=["one"], examples=["GD101-1"], alarms={"three/fixed": ["GD201:4"]}
    )
    now = Record(hits=["two", "four"], alarms={"three/fixed": ["GD201:4", "GD201:9"]})
    assert before.losses(now) == [
        "hit lost: one",
        "argument's name lost: one",
        "example lost: GD101-1",
        "new alarm: three/fixed GD201:9",
    ]


def test_an_update_only_ever_raises() -> None:
    before = Record(hits=["one", "two"], alarms={"three/fixed": ["GD201:4"], "five/fixed": ["GD202:1"]})
    now = Record(hits=["two", "four"], alarms={"six/program": ["GD201:9"]})
    raised = before.raised(now, measured=["three/fixed", "six/program"])
    assert raised == Record(hits=["four", "one", "two"], alarms={"five/fixed": ["GD202:1"]})


def test_the_records_hold_what_version_0_1_0_found() -> None:
    hit, missed = score(read_record("check"), from_run=False)
    assert len(hit) >= 25
    assert len(hit) + len(missed) == 51
    hit, missed = score(read_record("run"), from_run=True)
    assert len(hit) >= 51
    assert len(hit) + len(missed) == 61


def test_run_names_the_argument_of_every_retrace() -> None:
    retraces = {case.name for case in all_cases() if case.names_argument([]) is not None}
    assert len(retraces) == 15
    assert retraces - set(read_record("run").named) == set()


def test_every_case_has_an_answer() -> None:
    assert len(all_cases()) == 78
    assert all(case.answer.rules for case in all_cases() if not case.is_clean)
    assert sum(case.is_clean for case in all_cases()) == 14
