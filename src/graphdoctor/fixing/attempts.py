"""One edited program against the run that it has to equal."""

import dataclasses
from collections.abc import Mapping, Sequence

from graphdoctor.fixing.candidates import Choice, new_findings, still_found
from graphdoctor.fixing.comparing import compare, is_same
from graphdoctor.fixing.trials import Laboratory, Trial
from graphdoctor.model import Report, Severity
from graphdoctor.model.cure import Compared

ORIGINAL, EAGER, START, CORRECTED = "original", "eager", "start", "corrected"
SHIFT = 1
CLOCK = "GD209"
# Eagerly, too, a layer that is made at each call is another one at each: a reference for one that is kept
# only where that makes no difference, as for a metric that is emptied.
WRONG_EAGERLY = ("GD402",)
# Mistakes that are made eagerly as well: the eager run is a reference once they are mended.
WRONG_IN_PYTHON = ("GD313", "GD501", "GD504")
# Without its graphs a program has no traces: the cure is that there are some.
WITHOUT_GRAPHS = "GD905"


@dataclasses.dataclass(frozen=True)
class Attempt:
    """Edited texts, how they ran, and why that is not well, if it is not.

    `chosen` edited them last. `progress`: what was chosen is gone, and the program that died goes further
    than before.
    """

    texts: dict[str, str]
    chosen: tuple[Choice, ...]
    trial: Trial
    reference: str
    compared: tuple[Compared, ...]
    reason: str = ""
    progress: bool = False


class Judge:
    """Knows the original, and runs it in other ways when that is needed to judge an edited one."""

    def __init__(self, laboratory: Laboratory, original: Trial) -> None:
        self._laboratory = laboratory
        self.original = original
        self._known: dict[tuple[tuple[tuple[str, str], ...], bool, int], Trial] = {}

    @property
    def died(self) -> bool:
        """Whether the original ends with an error."""
        return bool(self.original.ended.status)

    def attempt(
        self,
        texts: dict[str, str],
        chosen: Sequence[Choice],
        before: Report | None,
        earlier: Sequence[Choice] = (),
        corrected: Mapping[str, str] | None = None,
    ) -> Attempt:
        """Run the texts, which `chosen` edited last; `before` is what was found without these edits.

        `corrected` are the texts with those edits alone that mend what Python does wrong eagerly, too.
        """
        trial = self._laboratory.observe(texts)
        reference, compared = self._compare(texts, trial, [*earlier, *chosen], corrected or {})
        reason = self._objection(trial, chosen, before, reference, compared)
        gone = not still_found(chosen, before, trial.report)
        moved_on = bool(trial.ended.status) and trial.error != self.original.error
        return Attempt(
            texts, tuple(chosen), trial, reference, compared, reason, self.died and gone and moved_on
        )

    def _compare(
        self, texts: dict[str, str], trial: Trial, chosen: Sequence[Choice], corrected: Mapping[str, str]
    ) -> tuple[str, tuple[Compared, ...]]:
        """Against the original or, where that is wrong or dies, its eager run.

        Where that is wrong as well, against the eager run of the program without Python's own mistakes: that
        proves that the graph computes what the mended Python says, and nothing about what it should say. So
        has an edited program that is the same by chance alone, where the original dies eagerly: that it is as
        near to what is wrong as another seed would be proves little. And so has one that differs from what
        is silently wrong: that is what the edit is for.
        """
        wrong = any(choice.finding.severity in (Severity.WRONG, Severity.ERROR) for choice in chosen)
        if not self.died and not wrong:
            return ORIGINAL, self._against(texts, trial, eager=False)
        rules = {choice.finding.rule for choice in chosen}
        doubtful = self.died and not rules.isdisjoint(WRONG_EAGERLY)
        timed, finished = CLOCK in rules, _came_to_its_end(self._run(eager=True))
        compared = self._against(texts, trial, eager=True, fills=True, timed=timed) if finished else ()
        certain = is_same(compared) and not any(one.random for one in compared)
        if finished and (certain or not doubtful):
            if certain or not corrected or not _came_to_its_end(self._run(corrected, eager=True)):
                return EAGER, compared
            return CORRECTED, self._against(texts, trial, corrected, eager=True, timed=timed)
        name = START if self.died else ORIGINAL
        compared = self._against(texts, trial, eager=False, fills=True)
        by_chance = is_same(compared) and any(one.random for one in compared)
        silent = any(choice.finding.severity is Severity.WRONG for choice in chosen)
        no_proof = by_chance or (silent and not is_same(compared) and not trial.ended.status)
        if self.died or not no_proof or not _came_to_its_end(self._run(texts, eager=True)):
            return name, compared
        return CORRECTED, self._against(texts, trial, texts, eager=True)

    def _against(
        self,
        texts: dict[str, str],
        trial: Trial,
        reference_texts: Mapping[str, str] | None = None,
        *,
        eager: bool,
        fills: bool = False,
        timed: bool = False,
    ) -> tuple[Compared, ...]:
        reference = self._run(reference_texts, eager=eager)
        traced = self.original.witnessed.printed
        partly = self.died and not eager
        compared = compare(reference, trial, (), traced, fills=fills, partly=partly)
        if is_same(compared) or trial.ended.status:
            return compared
        twins = [
            (reference, self._run(reference_texts, eager=eager, shift=SHIFT)),
            (trial, self._laboratory.witness(texts, shift=SHIFT)),
        ]
        return compare(reference, trial, twins, traced, fills=fills, timed=timed, partly=partly)

    def _run(self, texts: Mapping[str, str] | None = None, *, eager: bool, shift: int = 0) -> Trial:
        """The original, or what these texts make of it, in another way."""
        texts = texts or {}
        if not texts and not eager and not shift:
            return self.original
        key = (tuple(sorted(texts.items())), eager, shift)
        if key not in self._known:
            self._known[key] = self._laboratory.witness(texts, eager=eager, shift=shift)
        return self._known[key]

    def _objection(
        self,
        trial: Trial,
        chosen: Sequence[Choice],
        before: Report | None,
        reference: str,
        compared: tuple[Compared, ...],
    ) -> str:
        """Why the edited program is not well; empty when it is."""
        if trial.ended.stopped and not self.original.ended.stopped:
            return f"{trial.ended.stopped} stopped the edited program, and not the original"
        if trial.ended.status:
            return f"the edited program dies: {trial.error}"
        if not is_same(compared):
            worst = next(one for one in compared if not one.equal)
            against = " than its eager run" if reference in (EAGER, CORRECTED) else ""
            return f"another {worst.aspect}{against}: {worst.text}"
        remaining = still_found(chosen, before, trial.report)
        if remaining:
            return f"{remaining[0].rule} is still found"
        came = [] if self.died else new_findings(before, trial.report)
        if came:
            return f"{came[0].rule} is found that was not before: {came[0].message}"
        was, now = self.original.measured.traces, trial.measured.traces
        eager = any(choice.finding.rule == WITHOUT_GRAPHS for choice in chosen)
        slow = any(choice.finding.severity is Severity.SLOW for choice in chosen) and not eager
        if slow and not self.died and now > was:
            return f"{now} traces instead of {was}"
        return ""


def _came_to_its_end(trial: Trial) -> bool:
    return not (trial.ended.status or trial.ended.stopped)
