"""What was found once is found for ever: field cases and rule examples, against tests/ratchet."""

from ratcheting import Record, measure_check, read_record, score
from scoring import all_cases


def test_check_still_finds_what_it_found_and_is_as_quiet_on_programs_that_are_right() -> None:
    assert read_record("check").losses(measure_check()) == []


def test_a_lost_hit_a_lost_name_and_a_new_alarm_are_told() -> None:
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


def test_every_case_has_an_answer() -> None:
    assert len(all_cases()) == 78
    assert all(case.answer.rules for case in all_cases() if not case.is_clean)
    assert sum(case.is_clean for case in all_cases()) == 14
