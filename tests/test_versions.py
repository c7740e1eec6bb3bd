"""The table of docs/versions.md is what the stored results say, and a result is what pytest counted."""

from tests import versions
from tests.versions import Result

ENDED = """\
..F
=========================== short test summary info ============================
FAILED tests/observer/test_a.py::test_b[a - b] - assert 1 == 2
ERROR tests/observer/test_c.py - ImportError: no
1 failed, 2 passed, 3 deselected, 1 error in 4.20s
"""
EMPTY = Result("3.12", "2.16.2", "2026-01-02", "abc1234")


def test_the_table_is_that_of_the_results() -> None:
    page = versions.PAGE.read_text(encoding="utf-8")
    assert page == versions.with_table(page, versions.known())


def test_what_pytest_counts_is_the_result() -> None:
    result = versions.counted(EMPTY, ENDED.splitlines())
    assert (result.passed, result.ended) == (2, True)
    assert result.failed == ("tests/observer/test_a.py::test_b[a", "tests/observer/test_c.py")


def test_a_run_without_an_end_is_no_success() -> None:
    assert "| did not end |" in versions.counted(EMPTY, ["..."]).row


def test_a_row_says_which_tests_it_is_of() -> None:
    part = Result("3.12", "2.16.2", "2026-01-02", "abc1234", 7, (), ("tests/observer",), True)
    assert part.row == "| 3.12 | 2.16.2 | 7 | 0 | `tests/observer` | 2026-01-02, abc1234 |\n"


def test_the_table_is_replaced_and_nothing_else() -> None:
    page = "before\n\n| Python | x |\n|---|---|\n| old | 1 |\n\nafter\n"
    assert versions.with_table(page, []) == f"before\n\n{versions.HEAD}\nafter\n"


def test_a_release_candidate_comes_before_its_release() -> None:
    given = ["2.22.0", "2.9.0", "2.22.0rc0"]
    assert sorted(given, key=versions.order) == ["2.9.0", "2.22.0rc0", "2.22.0"]


def test_what_failed_may_pass_later() -> None:
    before = Result("3.12", "2.16.2", "2026-01-02", "abc1234", 7, ("a", "b"), ended=True)
    now = Result("3.12", "2.16.2", "2026-01-03", "def5678", 1, ("b",), ("a", "b"), True)
    expected = "| 3.12 | 2.16.2 | 8 | `b` | all | 2026-01-02, abc1234; what failed: again on def5678 |\n"
    assert versions.merged(before, now).row == expected
    assert versions.merged(before, EMPTY) == before
