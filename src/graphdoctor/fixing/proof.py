"""One edited program compared with its reference run, and the requirements of its fixes."""

import dataclasses
import functools
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from graphdoctor.fixing.candidates import Choice, new_findings, still_found
from graphdoctor.fixing.comparison import OUTPUT, compare, is_same, repeats
from graphdoctor.fixing.requirements import UnmetError, requirements_met, same_until_gradient
from graphdoctor.fixing.trials import PLAIN, Laboratory, Trial, Variation
from graphdoctor.model import Finding, Report, Severity
from graphdoctor.model.fix_result import Compared
from graphdoctor.rules.registry import all_rules
from graphdoctor.rules.repair import Eagerly, Repair

ORIGINAL, EAGER, START, CORRECTED = "original", "eager", "start", "corrected"
OTHER_SEED = Variation(shift=1)


def repair_of(finding: Finding) -> Repair:
    """What the fix of a finding changes, as its rule states it."""
    return next((rule.repair for rule in all_rules() if rule.id == finding.rule), Repair())


@dataclasses.dataclass(frozen=True)
class Attempt:
    """Edited texts, how they ran, and the reason if they are refused.

    `chosen` are the last edits. `progress`: their findings are gone, and a program that died runs further
    than before. `holds` are the requirements that were met. `repeats`: see `FixResult`.
    """

    texts: dict[str, str]
    chosen: tuple[Choice, ...]
    trial: Trial
    reference: str
    compared: tuple[Compared, ...]
    reason: str = ""
    progress: bool = False
    holds: tuple[str, ...] = ()
    repeats: bool = True


class Judge:
    """Keeps the original run, and runs variations of it when an edited program needs them for comparison."""

    def __init__(self, laboratory: Laboratory, original: Trial) -> None:
        self._laboratory = laboratory
        self.original = original
        self._known: dict[tuple[tuple[tuple[str, str], ...], Variation], Trial] = {}
        self._repeats = True
        self._values_change = False

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
        """Run the texts, with `chosen` as the last edits; `before` is the report without these edits.

        `corrected` are the texts with only the edits that fix what eager code does wrong as well.
        """
        trial = self._laboratory.observe(texts)
        self._repeats = True
        repairs = [repair_of(choice.finding) for choice in (*earlier, *chosen)]
        # The fix changes draws, times or gradients: a run with pinned draws need not be equal.
        self._values_change = any(one.varies or one.clock or one.gradient for one in repairs)
        reference, compared = self._compare(texts, trial, [*earlier, *chosen], corrected or {})
        reason = self._objection(trial, chosen, before, reference, compared)
        holds: tuple[str, ...] = ()
        if not reason:
            try:
                holds = self._requirements(texts, trial, [*earlier, *chosen], reference)
            except UnmetError as unmet:
                reason = str(unmet)
        gone = not still_found(chosen, before, trial.report)
        moved_on = bool(trial.ended.status) and trial.error != self.original.error
        return Attempt(
            texts=texts,
            chosen=tuple(chosen),
            trial=trial,
            reference=reference,
            compared=compared,
            reason=reason,
            progress=self.died and gone and moved_on,
            holds=holds,
            repeats=self._repeats,
        )

    def _requirements(
        self, texts: dict[str, str], trial: Trial, chosen: Sequence[Choice], reference: str
    ) -> tuple[str, ...]:
        """The requirements of these fixes that are met."""
        repairs = [repair_of(choice.finding) for choice in chosen]
        if not any(one.gradient or one.trains or one.varies for one in repairs):
            return ()
        if reference == CORRECTED and any(one.gradient for one in repairs):
            again = self._run(eager=True, hastened=True)
            same_until_gradient(self._run(eager=True), self._run(texts, eager=True), again)
        return requirements_met(
            repairs,
            self._run(eager=True).witnessed,
            self._run(texts, eager=True).witnessed,
            trial.witnessed,
            lambda sources: self._run(texts, eager=True, sources=sources).witnessed,
            died=self.died and bool(self._run(eager=True).ended.status),
        )

    def _compare(
        self, texts: dict[str, str], trial: Trial, chosen: Sequence[Choice], corrected: Mapping[str, str]
    ) -> tuple[str, tuple[Compared, ...]]:
        """Compare with the original or, where that is wrong or dies, with its eager run.

        Where the eager run is wrong as well, the reference is the eager run of the corrected program. That
        proves that the graph computes what the corrected Python says, not that this is what was meant. The
        same reference is used in two other cases. The original dies eagerly and the edited program is equal
        only within the difference of two seeds, which proves little. Or the edited program differs from an
        original that is silently wrong, which is the purpose of the edit.
        """
        severities = {choice.finding.severity for choice in chosen}
        repairs = [repair_of(choice.finding) for choice in chosen]
        prints = any(one.prints for one in repairs)
        if not self.died and not prints and severities.isdisjoint((Severity.WRONG, Severity.ERROR)):
            return ORIGINAL, self._against(texts, trial, eager=False)
        by_eager = self._compare_with_eager(texts, trial, repairs, corrected, prints)
        if by_eager is not None:
            return by_eager
        compared = self._against(texts, trial, eager=False, fills=True)
        by_chance = is_same(compared) and any(one.random for one in compared)
        silent = Severity.WRONG in severities
        no_proof = by_chance or (silent and not is_same(compared) and not trial.ended.status)
        if self.died or not no_proof or not _came_to_its_end(self._run(texts, eager=True)):
            return START if self.died else ORIGINAL, compared
        return CORRECTED, self._against(texts, trial, texts, eager=True)

    def _compare_with_eager(
        self,
        texts: dict[str, str],
        trial: Trial,
        repairs: Sequence[Repair],
        corrected: Mapping[str, str],
        prints: bool,
    ) -> tuple[str, tuple[Compared, ...]] | None:
        """Compare with the eager run; None where it dies, or proves little."""
        if not _came_to_its_end(self._run(eager=True)):
            return None
        doubtful = self.died and any(one.eagerly is Eagerly.RENEWED for one in repairs)
        timed = any(one.clock for one in repairs)
        compared = self._against(texts, trial, eager=True, fills=True, timed=timed, prints=prints)
        certain = is_same(compared) and not any(one.random for one in compared)
        if doubtful and not certain:
            return None
        if certain or not corrected or not _came_to_its_end(self._run(corrected, eager=True)):
            return EAGER, compared
        return CORRECTED, self._against(texts, trial, corrected, eager=True, timed=timed, prints=prints)

    def _against(
        self,
        texts: dict[str, str],
        trial: Trial,
        reference_texts: Mapping[str, str] | None = None,
        *,
        eager: bool,
        fills: bool = False,
        timed: bool = False,
        prints: bool = False,
    ) -> tuple[Compared, ...]:
        """The comparison with a reference; differences are compared again with more runs of it.

        First with a second run of the reference, with faster clocks: a line that differs there is not caused
        by an edit. Then with other seeds: a difference no larger than between two seeds counts as random.
        """
        reference = self._run(reference_texts, eager=eager)
        # Lines printed while tracing are not compared, unless the fix is that each call prints them.
        traced = () if prints else self.original.witnessed.printed
        partly = self.died and not eager
        compared = compare(reference, trial, (), traced, fills=fills, partly=partly)
        if is_same(compared) or trial.ended.status:
            return compared
        once_more = self._run(reference_texts, eager=eager, hastened=True)
        again = once_more if once_more.ended.status == reference.ended.status else None
        seed_pairs: list[tuple[Trial, Trial]] = []
        if again is not None and not repeats(reference, again):
            self._repeats = False
            seed_pairs, again = [(reference, again)], None
        look = functools.partial(
            compare, reference, trial, traced=traced, again=again, fills=fills, timed=timed, partly=partly
        )
        compared = look(seed_pairs, unsteady=bool(seed_pairs))
        if is_same(compared) or seed_pairs:
            return compared
        seed_pairs = [
            (reference, self._run(reference_texts, eager=eager, shift=OTHER_SEED.shift)),
            (trial, self._laboratory.witness(texts, OTHER_SEED)),
        ]
        compared = look(seed_pairs)
        by_chance = is_same(compared) and any(one.random for one in compared)
        if not by_chance or self._values_change:
            return compared
        exact = self._without_chance(texts, reference_texts, eager=eager, fills=fills, partly=partly)
        return compared if is_same(exact) else exact

    def _without_chance(
        self,
        texts: dict[str, str],
        reference_texts: Mapping[str, str] | None,
        *,
        eager: bool,
        fills: bool,
        partly: bool,
    ) -> tuple[Compared, ...]:
        """The comparison without output where both programs draw the same numbers; empty if impossible.

        A run with another seed shows whether the reference has other sources of randomness.
        """
        reference = _without_seeds(self._run(reference_texts, eager=eager, pinned=True))
        other = _without_seeds(self._run(reference_texts, eager=eager, pinned=True, shift=OTHER_SEED.shift))
        if reference.ended.status != other.ended.status or not repeats(reference, other):
            return ()
        now = _without_seeds(self._run(texts, pinned=True))
        compared = compare(reference, now, fills=fills, partly=partly)
        return tuple(one for one in compared if one.aspect != OUTPUT)

    def _run(
        self,
        texts: Mapping[str, str] | None = None,
        *,
        eager: bool = False,
        shift: int = 0,
        hastened: bool = False,
        sources: tuple[int, tuple[int, ...], tuple[int, ...]] | None = None,
        pinned: bool = False,
    ) -> Trial:
        """The original, or an edited program, run as a variation; each is run once."""
        texts = texts or {}
        variation = Variation(eager=eager, shift=shift, hastened=hastened, sources=sources, pinned=pinned)
        if not texts and variation == PLAIN:
            return self.original
        key = (tuple(sorted(texts.items())), variation)
        if key not in self._known:
            self._known[key] = self._laboratory.witness(texts, variation)
        return self._known[key]

    def _objection(
        self,
        trial: Trial,
        chosen: Sequence[Choice],
        before: Report | None,
        reference: str,
        compared: tuple[Compared, ...],
    ) -> str:
        """Why the edited program is refused; empty when it is not."""
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
        predicted = [] if self.died else new_findings(self.original.predicted, trial.predicted)
        if predicted:
            return f"`check` finds {predicted[0].rule} that was not before: {predicted[0].message}"
        return "" if self.died else self._too_many_traces(trial, chosen)

    def _too_many_traces(self, trial: Trial, chosen: Sequence[Choice]) -> str:
        was, now = self.original.measured.traces, trial.measured.traces
        repairs = [(choice.finding, repair_of(choice.finding)) for choice in chosen]
        slow = any(finding.severity is Severity.SLOW for finding, _ in repairs)
        if slow and now > was and not any(repair.graphs for _, repair in repairs):
            return f"{now} traces instead of {was}"
        # Where the run observed retraces that the fix removes, there must be fewer.
        observed = any(
            repair.retraces and finding.observed is not None and finding.observed.traces
            for finding, repair in repairs
        )
        return f"still {now} traces" if observed and now >= was else ""


def _without_seeds(trial: Trial) -> Trial:
    """The trial without variables of whole numbers: generators keep their seeds in some."""
    kept = tuple(one for one in trial.witnessed.variables if not one[1].dtype.startswith(("int", "uint")))
    return dataclasses.replace(trial, witnessed=replace(trial.witnessed, variables=kept))


def _came_to_its_end(trial: Trial) -> bool:
    return not (trial.ended.status or trial.ended.stopped)
