"""A program → the edits that fix it, each with its proof."""

import os
from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from graphdoctor.errors import EditError
from graphdoctor.fixing.candidates import (
    Candidate,
    Choice,
    Read,
    apply,
    candidates_of,
    identities,
    identity,
    in_root,
    new_findings,
    next_of_its_kind,
    reported_fix,
    together,
)
from graphdoctor.fixing.closeness import TOLERANCE
from graphdoctor.fixing.fixing import diff_of
from graphdoctor.fixing.notebook_program import diff_of_cells, notebook_of
from graphdoctor.fixing.proof import ORIGINAL, Attempt, Judge, repair_of
from graphdoctor.fixing.trials import INTERRUPTED, Laboratory, Trial
from graphdoctor.model import Report
from graphdoctor.model.fix_result import FixResult, TriedFix, Verdict
from graphdoctor.rules.repair import Eagerly

MOST_ROUNDS = 4
Say = Callable[[str], None]


class Search:
    """Tries edits on copies until no untried edit remains; `best` is the best accepted attempt so far."""

    def __init__(self, laboratory: Laboratory, only: tuple[str, ...] = (), say: Say = lambda _: None) -> None:
        self._laboratory = laboratory
        self._place = laboratory.place
        self._only = only
        self._say = say
        self._kept: list[Choice] = []
        self._refused: dict[tuple[object, ...], TriedFix] = {}
        self._tries: dict[tuple[tuple[str, str], ...], Attempt] = {}  # by the texts that ran
        self.original: Trial | None = None
        self.best: Attempt | None = None

    def run(self) -> None:
        """Run the original, then edited copies."""
        self._say(f"running {self._place.name} as it is")
        self.original = self._laboratory.observe({})
        if self.original.report is None or self.original.ended.stopped == INTERRUPTED:
            return
        judge = Judge(self._laboratory, self.original)
        # Where no finding is shown, low-confidence findings and notes are tried.
        notes = not any(finding.is_shown for finding in self.original.report.findings)
        for _ in range(MOST_ROUNDS):
            before = self.best
            report = before.trial.report if before is not None else self.original.report
            found = (
                candidates_of(report, self._place, self._only, self._reader(before), notes=notes)
                if report
                else []
            )
            waiting = [one for one in (self._untried(candidate) for candidate in found) if one]
            if waiting:
                self._round(judge, before.texts if before is not None else {}, report, waiting)
            if self.best is before:
                break

    def _untried(self, candidate: Candidate) -> Candidate:
        return tuple(choice for choice in candidate if _key(choice) not in self._refused)

    def _round(
        self, judge: Judge, texts: dict[str, str], report: Report | None, candidates: list[Candidate]
    ) -> None:
        """All fixes together, and if that is refused one by one."""
        kept = self._kept
        chosen = together(texts, candidates, self._laboratory.text)
        attempt = self._attempt(judge, texts, chosen, report) if chosen else None
        if attempt is not None and not attempt.reason:
            self._accept(attempt, kept)
        else:
            self._one_by_one(judge, texts, report, candidates)

    def _one_by_one(
        self, judge: Judge, texts: dict[str, str], report: Report | None, candidates: list[Candidate]
    ) -> None:
        kept, chosen = self._kept, list[Choice]()
        for candidate in candidates:
            if chosen and self._is_gone(candidate):
                continue
            attempts = (self._judged(judge, texts, [*chosen, choice], report) for choice in candidate)
            best = self._best_of(attempts)
            if best is not None:
                self._accept(best, kept)
                chosen = list(best.chosen)

    def _is_gone(self, candidate: Candidate) -> bool:
        """Whether the edits of this round fixed it as well, in a program that ran to its end."""
        best = self.best
        well = best is not None and not best.reason and best.trial.report is not None
        return well and best is not None and not identities(best.trial.report)[identity(candidate[0].finding)]

    def _best_of(self, attempts: Iterable[Attempt | None]) -> Attempt | None:
        """The first accepted; if none is, the first with which a program that died runs further."""
        further: Attempt | None = None
        for attempt in attempts:
            if attempt is not None and not attempt.reason:
                return attempt
            if further is None and attempt is not None and attempt.progress:
                further = attempt
        return further

    def _judged(
        self, judge: Judge, texts: dict[str, str], chosen: list[Choice], report: Report | None
    ) -> Attempt | None:
        """An attempt with a choice, the last; if it is refused, the reason is kept."""
        attempt = self._attempt(judge, texts, chosen, report)
        if attempt is None or attempt.reason:
            reason = attempt.reason if attempt is not None else "it collides with another edit"
            self._refused[_key(chosen[-1])] = replace(chosen[-1].reported, reason=reason)
        return attempt

    def _accept(self, attempt: Attempt, kept: list[Choice]) -> None:
        """Continue from an attempt that was made on top of the edits kept before."""
        self.best, self._kept = attempt, [*kept, *attempt.chosen]
        for choice in attempt.chosen:
            self._refused.pop(_key(choice), None)

    def _attempt(
        self, judge: Judge, texts: dict[str, str], chosen: Sequence[Choice], report: Report | None
    ) -> Attempt | None:
        """A copy with these edits; where that is refused, also with the edits of uncovered findings."""
        try:
            changed = apply(texts, chosen, self._laboratory.text)
        except EditError:
            return None
        corrected = self._corrected(texts, chosen)
        first = attempt = self._tried(judge, changed, chosen, report, corrected)
        for _ in range(MOST_ROUNDS):
            uncovered = self._uncovered(attempt, report) if attempt.reason else []
            if not uncovered:
                break
            changed = apply(attempt.texts, uncovered, self._laboratory.text)
            if changed == attempt.texts:
                break
            attempt = self._tried(judge, changed, [*attempt.chosen, *uncovered], report, corrected)
        return first if attempt.reason else attempt

    def _corrected(self, texts: dict[str, str], chosen: Sequence[Choice]) -> dict[str, str]:
        """The texts with only the edits that fix what eager code does wrong as well; empty without any."""
        own = [one for one in chosen if _is_wrong_eagerly(one)]
        earlier = any(map(_is_wrong_eagerly, self._kept))
        return apply(texts, own, self._laboratory.text) if own or earlier else {}

    def _tried(
        self,
        judge: Judge,
        texts: dict[str, str],
        chosen: Sequence[Choice],
        report: Report | None,
        corrected: dict[str, str],
    ) -> Attempt:
        key = tuple(sorted(texts.items()))
        if key not in self._tries:
            rules = dict.fromkeys(one.finding.rule for one in chosen)
            self._say(f"running a copy with {', '.join(rules)} fixed")
            self._tries[key] = judge.attempt(texts, chosen, report, self._kept, corrected)
        return self._tries[key]

    def _uncovered(self, attempt: Attempt, before: Report | None) -> list[Choice]:
        """The fixes of findings of an edited copy that retracing, or a crash, had hidden in the original."""
        report = attempt.trial.report
        came = new_findings(before, report)
        if report is not None and self._dies_elsewhere(attempt.trial):
            came = list(report.findings)
        was, now = self._in_root(self._reader(self.best)), self._in_root(self._reader(attempt))
        came = came or next_of_its_kind(before, report, was, now, died=bool(attempt.trial.error))
        if report is None or not came:
            return []
        found = replace(report, findings=tuple(came))
        candidates = candidates_of(found, self._place, self._only, self._reader(attempt))
        return together(attempt.texts, candidates, self._laboratory.text)

    def _in_root(self, read: Read) -> Read:
        """A reader of the files that findings name."""
        return lambda path: read(in_root(path, self._place))

    def _dies_elsewhere(self, trial: Trial) -> bool:
        """Whether a program that died now dies of something else."""
        original = self.original
        return original is not None and bool(original.error) and trial.error not in ("", original.error)

    def result(self, notes: Sequence[str] = ()) -> FixResult:
        """The result so far."""
        assert self.original is not None
        best = self.best
        refused = list(self._refused.values())
        if best is not None and best.reason:  # it ran further, and died elsewhere
            refused += [replace(one.reported, reason=best.reason) for one in self._kept]
            best = None
        kept = [one.reported for one in self._kept] if best is not None else []
        left = self._left(best.trial if best is not None else self.original, self._reader(best))
        return FixResult(
            program=self._place.name,
            verdict=_verdict(self.original, best, refused, left),
            before=self.original.measured,
            after=best.trial.measured if best is not None else None,
            reference=best.reference if best is not None else ORIGINAL,
            tolerance=TOLERANCE,
            compared=best.compared if best is not None else (),
            tried=(*kept, *refused),
            remaining=tuple(left),
            edited=tuple(self._named(path) for path in sorted(best.texts)) if best is not None else (),
            diff="".join(self._diff(path, text) for path, text in sorted(best.texts.items())) if best else "",
            notes=tuple(notes),
            holds=best.holds if best is not None else (),
            repeats=best is None or best.repeats,
        )

    def changes(self) -> dict[str, tuple[bytes, str]]:
        """What to write, by path: the original content of the file, and its new text."""
        texts = self.best.texts if self.best is not None and not self.best.reason else {}
        root = self._place.root
        return {
            os.path.join(root, path): (self._laboratory.content(path), text) for path, text in texts.items()
        }

    def _reader(self, attempt: Attempt | None) -> Read:
        """Reads the texts of an attempt, or the original ones."""
        texts = attempt.texts if attempt is not None else {}
        return lambda path: texts[path] if path in texts else self._laboratory.text(path)

    def _left(self, trial: Trial, read: Read) -> list[TriedFix]:
        """The findings that remain."""
        findings = trial.report.findings if trial.report else ()
        return [
            replace(
                reported_fix(finding, finding.fix.title if finding.fix else "", self._place, read),
                reason=finding.message,
            )
            for finding in findings
            if finding.is_shown
        ]

    def _named(self, path: str) -> str:
        """A file of the root, as the user would name it."""
        named = os.path.relpath(os.path.join(self._place.root, path), self._place.directory)
        return notebook_of(os.path.join(self._place.root, path) if named.startswith("..") else named)

    def _diff(self, path: str, text: str) -> str:
        differences = diff_of if notebook_of(path) == path else diff_of_cells
        return differences(self._named(path), self._laboratory.text(path), text)


def _is_wrong_eagerly(choice: Choice) -> bool:
    return repair_of(choice.finding).eagerly is Eagerly.WRONG


def _key(choice: Choice) -> tuple[object, ...]:
    return choice.finding.rule, choice.fix.title, tuple((edit.path, edit.text) for edit in choice.edits)


def _verdict(original: Trial, best: Attempt | None, refused: list[TriedFix], left: list[TriedFix]) -> Verdict:
    if original.report is None:
        return Verdict.UNKNOWN
    if best is not None and not best.repeats:
        return Verdict.CONSISTENT
    if best is not None:
        return Verdict.PARTLY if left else Verdict.FIXED
    if refused:
        return Verdict.FAILED
    return Verdict.NONE if left else Verdict.CLEAN
