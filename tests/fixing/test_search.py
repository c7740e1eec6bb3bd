"""Which edits are kept: programs are played here by what each text of them would do."""

import dataclasses
from collections.abc import Callable, Mapping

import pytest
from msgspec.structs import replace

from graphdoctor.fixing.copies import Place
from graphdoctor.fixing.search import Search
from graphdoctor.fixing.trials import PLAIN, Ended, Trial, Variation
from graphdoctor.fixing.witness_file import Witnessed
from graphdoctor.model import Edit, Finding, Fix, Observed, Report, Safety, Severity
from graphdoctor.model.fix_result import FixResult, Verdict

PROGRAM = "one = 1\ntwo = 2\n"


def make_finding(line: int, *texts: str, rule: str = "GD101", severity: Severity = Severity.SLOW) -> Finding:
    """A finding on a line, with fixes that each put a text in place of its number."""
    fixes = [
        Fix(
            title=f"Write {text}",
            safety=Safety.UNSAFE,
            edits=(Edit(path="p.py", line=line, column=7, end_line=line, end_column=8, text=text),),
        )
        for text in texts
    ]
    return Finding(
        path="p.py",
        line=line,
        column=1,
        end_line=line,
        end_column=2,
        rule=rule,
        name="some-rule",
        severity=severity,
        message="wrong",
        fix=fixes[0] if fixes else None,
        alternatives=tuple(fixes[1:]),
    )


@dataclasses.dataclass(frozen=True)
class Played:
    """What a text of the program does."""

    findings: tuple[Finding, ...] = ()
    output: str = "same\n"
    status: int = 0
    errors: str = ""


class Theatre:
    """A laboratory in which nothing runs."""

    place = Place("/root", "/root", ("p.py",), "p.py")

    def __init__(
        self, play: Callable[[str], Played], eagerly: Played | Callable[[str], Played] | None = None
    ) -> None:
        self._play = play
        self._eagerly = eagerly
        self.runs: list[str] = []
        self.witnessed: list[tuple[str, bool]] = []

    def text(self, path: str) -> str:
        return PROGRAM

    def observe(self, texts: Mapping[str, str]) -> Trial:
        text = texts.get("p.py", PROGRAM)
        self.runs.append(text)
        played = self._play(text)
        report = Report(graphdoctor="0", findings=played.findings)
        return Trial(Ended(played.status, played.output, played.errors), Witnessed(ended=True), None, report)

    def witness(self, texts: Mapping[str, str], variation: Variation = PLAIN) -> Trial:
        text, eager = texts.get("p.py", PROGRAM), variation.eager
        self.witnessed.append((text, eager))
        eagerly = self._eagerly(text) if callable(self._eagerly) else self._eagerly
        played = eagerly if eager and eagerly else self._play(text)
        return Trial(Ended(played.status, played.output, played.errors), Witnessed(ended=True))


def fix(theatre: Theatre) -> FixResult:
    search = Search(theatre)  # type: ignore[arg-type]
    search.run()
    return search.result()


def test_a_program_without_findings_is_run_once() -> None:
    theatre = Theatre(lambda _: Played())
    assert fix(theatre).verdict is Verdict.CLEAN
    assert len(theatre.runs) == 1


def test_findings_without_edits_are_reported() -> None:
    found = fix(Theatre(lambda _: Played((make_finding(1),))))
    assert found.verdict is Verdict.NONE
    assert [one.rule for one in found.remaining] == ["GD101"]


def make_note(line: int, *texts: str, observed: bool = True) -> Finding:
    """What its rule finds in a form that is only a note."""
    found = make_finding(line, *texts, rule="GD201", severity=Severity.NOTE)
    return replace(found, observed=Observed(traces=0, seconds=0.0, calls=1)) if observed else found


def test_a_note_that_was_seen_to_happen_is_fixed_where_nothing_worse_is_found() -> None:
    def play(text: str) -> Played:
        found = make_note(1, "5")
        return Played((found,), "") if "one = 1" in text else Played((), "hello\n")

    found = fix(Theatre(play, Played(output="hello\n")))
    assert (found.verdict, [one.rule for one in found.kept]) == (Verdict.FIXED, ["GD201"])
    silent = fix(Theatre(play, Played(output="hello\nhello\n")))
    assert silent.verdict is Verdict.FAILED


@pytest.mark.parametrize("beside", [(), (make_finding(2),)], ids=["not seen", "beside something worse"])
def test_other_notes_are_left_alone(beside: tuple[Finding, ...]) -> None:
    theatre = Theatre(lambda _: Played((make_note(1, "5", observed=bool(beside)), *beside)))
    assert fix(theatre).tried == ()
    assert len(theatre.runs) == 1


def test_a_retrace_that_was_observed_has_to_go() -> None:
    finding = replace(make_finding(1, "5"), observed=Observed(traces=3, seconds=0.1))

    def play(text: str) -> Played:
        return Played((finding,) if "one = 1" in text else ())

    found = fix(Theatre(play))
    assert [one.reason for one in found.tried] == ["still 0 traces"]


def test_several_fixes_are_tried_together() -> None:
    one, two = make_finding(1, "5"), make_finding(2, "6", rule="GD201")

    def play(text: str) -> Played:
        return Played(tuple(f for f, was in ((one, "one = 1"), (two, "two = 2")) if was in text))

    theatre = Theatre(play)
    found = fix(theatre)
    assert (found.verdict, len(found.kept)) == (Verdict.FIXED, 2)
    assert theatre.runs[1:] == ["one = 5\ntwo = 6\n"]
    assert "-one = 1\n-two = 2\n+one = 5\n+two = 6\n" in found.diff


def test_what_changes_the_output_is_left_out() -> None:
    one, two = make_finding(1, "5"), make_finding(2, "6", rule="GD201")

    def play(text: str) -> Played:
        findings = tuple(f for f, was in ((one, "one = 1"), (two, "two = 2")) if was in text)
        return Played(findings, "other\n" if "6" in text else "same\n")

    found = fix(Theatre(play))
    assert found.verdict is Verdict.PARTLY
    assert [(m.rule, m.reason) for m in found.tried] == [
        ("GD101", ""),
        ("GD201", "another output than its eager run: line 1: now 'other', before 'same'"),
    ]
    assert [one.rule for one in found.remaining] == ["GD201"]
    assert "two" not in found.diff.replace(" two = 2", "")


def test_the_alternative_that_is_proven_wins() -> None:
    finding = make_finding(1, "5", "6")
    found = fix(Theatre(lambda text: Played((finding,) if "6" not in text else ())))
    assert (found.verdict, [one.title for one in found.kept]) == (Verdict.FIXED, ["Write 6"])
    assert [one.reason for one in found.tried if one.reason] == ["GD101 is still found"]


def test_an_edit_that_kills_the_program_is_left_out() -> None:
    def play(text: str) -> Played:
        return Played(status=1, errors="ValueError: no") if "5" in text else Played((make_finding(1, "5"),))

    found = fix(Theatre(play))
    assert (found.verdict, found.diff, found.after) == (Verdict.FAILED, "", None)
    assert found.tried[0].reason == "the edited program dies: ValueError: no"


def test_a_finding_that_was_not_there_before_is_an_objection() -> None:
    def play(text: str) -> Played:
        return Played((make_finding(2, rule="GD301") if "5" in text else make_finding(1, "5"),))

    assert fix(Theatre(play)).tried[0].reason == "GD301 is found that was not before: wrong"


def test_a_finding_that_a_fix_uncovers_is_fixed_with_it() -> None:
    stale = make_finding(2, "6", rule="GD215", severity=Severity.WRONG)

    def play(text: str) -> Played:
        if "one = 1" in text:  # a trace at each call reads what is new
            return Played((make_finding(1, "5"),), "new\n")
        return Played((stale,), "old\n") if "two = 2" in text else Played((), "new\n")

    theatre = Theatre(play)
    found = fix(theatre)
    assert (found.verdict, [one.rule for one in found.kept]) == (Verdict.FIXED, ["GD101", "GD215"])
    assert theatre.runs[1:] == ["one = 5\ntwo = 2\n", "one = 5\ntwo = 6\n"]


def test_an_uncovered_finding_without_a_fix_is_a_reason_to_refuse() -> None:
    def play(text: str) -> Played:
        if "one = 1" in text:
            return Played((make_finding(1, "5"),))
        stale = make_finding(2, "6", rule="GD215", severity=Severity.WRONG)
        return Played((stale,) if "two = 2" in text else (), "old\n")

    found = fix(Theatre(play, Played()))
    assert (found.verdict, found.diff) == (Verdict.FAILED, "")
    assert found.tried[0].reason == "another output: line 1: now 'old', before 'same'"


ERROR = {"severity": Severity.ERROR, "rule": "GD301"}


def test_a_program_that_dies_has_to_equal_its_eager_run() -> None:
    def play(text: str) -> Played:
        dead = Played((make_finding(1, "5", **ERROR),), "", 1, "TypeError: one")  # type: ignore[arg-type]
        return dead if "5" not in text else Played(output="right\n")

    found = fix(Theatre(play, Played(output="right\n")))
    assert (found.verdict, found.reference) == (Verdict.FIXED, "eager")
    wrong = fix(Theatre(play, Played(output="quite another\n")))
    assert wrong.verdict is Verdict.FAILED
    assert wrong.tried[0].reason.startswith("another output than its eager run: line 1")


def test_a_layer_of_each_call_is_another_one_eagerly_too_and_no_reference() -> None:
    finding = make_finding(1, "5", rule="GD402", severity=Severity.ERROR)

    def play(text: str) -> Played:
        dead = Played((finding,), "start\n", 1, "ValueError: one")
        return dead if "5" not in text else Played(output="start\nweights 4\n")

    found = fix(Theatre(play, Played(output="start\nweights 2\n")))
    assert (found.verdict, found.reference) == (Verdict.FIXED, "start")


def test_a_program_that_dies_later_is_fixed_further() -> None:
    def play(text: str) -> Played:
        if "one = 1" in text:
            return Played((make_finding(1, "5", **ERROR),), "", 1, "TypeError: one")  # type: ignore[arg-type]
        if "two = 2" in text:
            return Played((make_finding(2, "6", severity=Severity.ERROR),), "", 1, "TypeError: two")
        return Played(output="right\n")

    found = fix(Theatre(play, Played(output="right\n")))
    assert (found.verdict, [one.rule for one in found.kept]) == (Verdict.FIXED, ["GD301", "GD101"])


def test_a_program_that_dies_later_of_the_same_is_fixed_further() -> None:
    def play(text: str) -> Played:
        if "one = 1" in text:
            return Played((make_finding(1, "5", **ERROR),), "", 1, "TypeError: one")  # type: ignore[arg-type]
        if "two = 2" in text:
            return Played((make_finding(2, "6", **ERROR),), "", 1, "TypeError: two")  # type: ignore[arg-type]
        return Played(output="right\n")

    found = fix(Theatre(play, Played(output="right\n")))
    assert (found.verdict, [one.rule for one in found.kept]) == (Verdict.FIXED, ["GD301", "GD301"])


def test_a_fix_is_better_than_a_later_death() -> None:
    def play(text: str) -> Played:
        if "one = 1" in text:
            return Played((make_finding(1, "5", "6", **ERROR),), "", 1, "TypeError: one")  # type: ignore[arg-type]
        return Played((), "", 1, "TypeError: two") if "5" in text else Played(output="right\n")

    theatre = Theatre(play, Played(output="right\n"))
    found = fix(theatre)
    assert (found.verdict, [one.title for one in found.kept]) == (Verdict.FIXED, ["Write 6"])
    assert [one.reason for one in found.tried if one.reason] == ["the edited program dies: TypeError: two"]
    assert len(theatre.runs) == len(set(theatre.runs))


def test_a_program_that_dies_elsewhere_is_not_fixed() -> None:
    def play(text: str) -> Played:
        if "one = 1" in text:
            return Played((make_finding(1, "5", **ERROR),), "", 1, "TypeError: one")  # type: ignore[arg-type]
        return Played((), "", 1, "TypeError: two")

    found = fix(Theatre(play, Played(output="right\n")))
    assert (found.verdict, found.diff) == (Verdict.FAILED, "")


def test_silently_wrong_programs_have_to_equal_their_eager_run() -> None:
    finding = make_finding(1, "5", rule="GD203", severity=Severity.WRONG)

    def play(text: str) -> Played:
        return Played((), "right\n") if "5" in text else Played((finding,), "wrong\n")

    found = fix(Theatre(play, Played(output="right\n")))
    assert (found.verdict, found.reference) == (Verdict.FIXED, "eager")


LATE = make_finding(1, "5", rule="GD313", severity=Severity.WRONG)


def test_what_python_does_wrong_eagerly_too_has_to_equal_the_eager_run_of_its_correction() -> None:
    def play(text: str) -> Played:
        return Played((), "right\n") if "5" in text else Played((LATE,), "wrong\n")

    found = fix(Theatre(play, play))
    assert (found.verdict, found.reference) == (Verdict.FIXED, "corrected")
    differs = Theatre(
        play, lambda text: Played(output="other\n") if "5" in text else Played(output="wrong\n")
    )
    assert fix(differs).verdict is Verdict.FAILED
    dies = Theatre(play, lambda text: Played(status=1) if "5" in text else Played(output="wrong\n"))
    assert fix(dies).verdict is Verdict.FAILED


def test_the_next_of_its_kind_that_is_uncovered_is_fixed_as_well() -> None:
    hidden = make_finding(2, "6", rule="GD313", severity=Severity.WRONG)

    def play(text: str) -> Played:
        found = LATE if "one = 1" in text else hidden
        return Played((found,) if "= 1" in text or "= 2" in text else ())

    found = fix(Theatre(play, play))
    assert (found.verdict, [one.line for one in found.kept]) == (Verdict.FIXED, [1, 2])


def test_a_finding_on_an_edited_line_is_not_fixed_twice() -> None:
    found = fix(Theatre(lambda text: Played((LATE,)), lambda text: Played()))
    assert (found.verdict, [one.reason for one in found.tried]) == (Verdict.FAILED, ["GD313 is still found"])


def test_the_correction_of_python_excuses_no_other_edit() -> None:
    slow = make_finding(2, "6")

    def play(text: str) -> Played:
        found = tuple(f for f, was in ((LATE, "one = 1"), (slow, "two = 2")) if was in text)
        return Played(found, f"{'right' if '5' in text else 'wrong'}{' spoilt' if '6' in text else ''}\n")

    found = fix(Theatre(play, play))
    assert [one.rule for one in found.kept] == ["GD313"]
    assert [one.rule for one in found.tried if one.reason] == ["GD101"]


def test_other_rules_are_held_to_the_eager_run_of_the_original() -> None:
    finding = make_finding(1, "5", rule="GD203", severity=Severity.WRONG)

    def play(text: str) -> Played:
        return Played((), "another\n") if "5" in text else Played((finding,), "wrong\n")

    theatre = Theatre(play, play)
    assert fix(theatre).verdict is Verdict.FAILED
    assert all(text == PROGRAM for text, eager in theatre.witnessed if eager)


def test_ctrl_c_leaves_the_proof_so_far() -> None:
    def play(text: str) -> Played:
        if "6" in text:
            raise KeyboardInterrupt
        first, second = make_finding(1, "5", rule="GD201"), make_finding(2, *("6" if "5" in text else ""))
        return Played((second,) if "5" in text else (first, second))

    search = Search(Theatre(play))  # type: ignore[arg-type]
    with pytest.raises(KeyboardInterrupt):
        search.run()
    found = search.result()
    assert found.verdict is Verdict.PARTLY
    assert "+one = 5" in found.diff


def test_what_another_edit_made_go_is_not_edited_as_well() -> None:
    one, two = make_finding(1, "3", "5", rule="GD208"), make_finding(2, "6", rule="GD215")

    def play(text: str) -> Played:
        return Played() if "one = 5" in text else Played((one, two), "" if "3" in text else "same\n")

    found = fix(Theatre(play))
    assert (found.verdict, [each.title for each in found.kept]) == (Verdict.FIXED, ["Write 5"])


class ByChance(Theatre):
    """Another seed gives quite another number, but for the eager run of the edited program."""

    def witness(self, texts: Mapping[str, str], variation: Variation = PLAIN) -> Trial:
        trial = super().witness(texts, variation)
        other = dataclasses.replace(trial.ended, output="loss 9.0\n")
        return dataclasses.replace(trial, ended=other) if variation.shift and not variation.eager else trial


@pytest.mark.parametrize(
    ("eagerly", "verdict"), [("loss 2.0\n", Verdict.FIXED), ("loss 99.0\n", Verdict.FAILED)]
)
def test_what_is_near_to_a_wrong_program_by_chance_has_to_equal_its_own_eager_run(
    eagerly: str, verdict: Verdict
) -> None:
    finding = make_finding(1, "5", rule="GD215", severity=Severity.WRONG)

    def play(text: str) -> Played:
        return Played((), "loss 2.0\n") if "5" in text else Played((finding,), "loss 1.0\n")

    def eager(text: str) -> Played:
        return Played((), eagerly) if "5" in text else Played(status=1)

    found = fix(ByChance(play, eager))
    assert found.verdict is verdict
    assert found.reference == ("corrected" if verdict is Verdict.FIXED else "original")
