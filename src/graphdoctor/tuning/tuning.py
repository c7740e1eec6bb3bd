"""Runs the variants of a training in turn, again and again, and says which one is worth it."""

import dataclasses
import math
from collections.abc import Callable, Sequence

from graphdoctor.errors import EditError
from graphdoctor.fixing.comparison import compare
from graphdoctor.fixing.fixing import diff_of
from graphdoctor.fixing.trials import Laboratory, Trial, Variation
from graphdoctor.model.tuning import Alternative, Tuning
from graphdoctor.tuning.training_variants import STEPS_PER_EXECUTION, Variant
from graphdoctor.tuning.variants import Scene, edited, scene_of

AS_IS = "as it is"
RUNS = 3
GAIN = 1.05  # less is within what runs of one program differ by
HOPELESS = 2.0  # so many times slower in its first run, it is not run again
LEAST_STEPS = 4


@dataclasses.dataclass
class _Measured:
    variant: Variant
    trials: list[Trial] = dataclasses.field(default_factory=list)
    reason: str = ""


class Tuner:
    """Measures a program's variants; `say` hears what is being done."""

    def __init__(
        self,
        laboratory: Laboratory,
        steps: int,
        say: Callable[[str], None],
        only: tuple[str, ...] = (),
        precision: str = "",
    ) -> None:
        self._laboratory, self._say, self._only, self._precision = laboratory, say, only, precision
        self._steps = -(-steps // STEPS_PER_EXECUTION) * STEPS_PER_EXECUTION
        self._warm = max(STEPS_PER_EXECUTION, self._steps // 4)
        self._scene: Scene | None = None
        self._measured: list[_Measured] = []

    def run(self) -> Tuning:
        """Look where the training is, measure, combine what helps, and measure again."""
        self._say("looking for the training step")
        trial = self._laboratory.scout(self._steps)
        stepped = trial.stepped
        if stepped is not None and stepped.stacks:
            self._scene = scene_of(stepped, self._laboratory.text, self._precision)
        if self._scene is None:
            return self._unknown(trial)
        base = _Measured(Variant(AS_IS, ""))
        self._fit_to_epochs(base)
        variants = [one for one in self._scene.variants if self._is_wanted(one)]
        self._measured = [base, *(_Measured(one, reason=one.reason) for one in variants)]
        self._rounds(self._measured)
        together = self._together()
        if together is not None:
            self._measured.append(together)
            self._rounds([base, together])
        return self._result()

    def _is_wanted(self, variant: Variant) -> bool:
        return not self._only or any(word in (variant.name, variant.group) for word in self._only)

    def _fit_to_epochs(self, base: _Measured) -> None:
        """Whole epochs, two at least, where one is short: what is kept in the first helps in the second."""
        self._try(base)
        stepped = base.trials[0].stepped if base.trials else None
        epoch = stepped.epoch if stepped is not None else None
        base.trials.clear()
        if epoch is not None and epoch < self._steps:
            self._steps = max(2, math.ceil(self._steps / epoch)) * epoch
            self._warm = epoch * max(1, math.ceil(self._warm / epoch))
            self._steps += self._warm if self._steps == self._warm else 0

    def _rounds(self, chosen: Sequence[_Measured]) -> None:
        """Each in turn, and that again: what the machine does meanwhile falls on all of them."""
        for number in range(RUNS):
            for one in chosen:
                if not one.reason and not (number and self._is_hopeless(one)):
                    self._say(f"round {number + 1} of {RUNS}: {one.variant.name}")
                    self._try(one)

    def _is_hopeless(self, one: _Measured) -> bool:
        base = self._measured[0]
        return bool(one.trials and base.trials) and self._step(one.trials[0]) > HOPELESS * self._step(
            base.trials[0]
        )

    def _try(self, one: _Measured) -> None:
        assert self._scene is not None
        try:
            texts = edited(self._laboratory.text, (*one.variant.edits, *self._scene.marks))
        except EditError as error:
            one.reason = str(error)
            return
        trial = self._laboratory.witness(texts, Variation(steps=self._steps))
        one.reason = self._unmeasured(trial)
        if not one.reason:
            one.trials.append(trial)

    def _unmeasured(self, trial: Trial) -> str:
        """Why a run says nothing of the time of its steps; empty where it does."""
        if trial.ended.stopped:
            return f"stopped by {trial.ended.stopped}"
        if trial.ended.status:
            return trial.error
        done = trial.stepped.done if trial.stepped is not None else 0
        if done < self._warm + LEAST_STEPS:
            return f"only {done} steps were done, and the first {self._warm} are not measured"
        return ""

    def _step(self, trial: Trial) -> float:
        """The seconds of a step after the first ones."""
        assert trial.stepped is not None
        done = trial.stepped.done
        return (trial.stepped.clock(done) - trial.stepped.clock(self._warm)) / (done - self._warm)

    def _first(self, trial: Trial) -> float:
        assert trial.stepped is not None
        begun = trial.stepped.marks[0][1]
        return trial.stepped.clock(self._warm) - begun - self._warm * self._step(trial)

    def _together(self) -> _Measured | None:
        """The fastest of each group that is faster and computes the same, all at once."""
        chosen: dict[str, tuple[float, Variant]] = {}
        for one, found in zip(self._measured[1:], self._alternatives()[1:], strict=True):
            if found.factor is not None and found.factor >= GAIN and found.same:
                group = one.variant.group
                chosen[group] = max(
                    chosen.get(group, (0.0, one.variant)), (found.factor, one.variant), key=_first_of
                )
        if len(chosen) < 2:
            return None
        variants = [variant for _, variant in chosen.values()]
        edits = tuple(edit for variant in variants for edit in variant.edits)
        return _Measured(Variant(" + ".join(one.name for one in variants), "", edits))

    def _alternatives(self) -> list[Alternative]:
        base = self._measured[0]
        return [self._alternative(one, base) for one in self._measured]

    def _alternative(self, one: _Measured, base: _Measured) -> Alternative:
        if not one.trials:
            return Alternative(name=one.variant.name, reason=one.reason or "not run")
        seconds = tuple(round(self._step(trial), 9) for trial in one.trials)
        found = Alternative(name=one.variant.name, step_seconds=seconds, first_seconds=self._least_first(one))
        if one is base or not base.trials:
            return found
        before = min(map(self._step, base.trials))
        gain = before - found.best_seconds
        extra = found.first_seconds - self._least_first(base)
        same, difference = self._compared(one.trials[0], base.trials)
        return Alternative(
            name=found.name,
            step_seconds=seconds,
            first_seconds=found.first_seconds,
            factor=round(before / found.best_seconds, 3),
            same=same,
            difference=difference,
            pays_after=max(1, math.ceil(extra / gain))
            if gain > 0 and before / found.best_seconds >= GAIN
            else None,
        )

    def _least_first(self, one: _Measured) -> float:
        return round(max(0.0, min(map(self._first, one.trials))), 6)

    def _compared(self, trial: Trial, base: Sequence[Trial]) -> tuple[bool | None, str]:
        done, expected = (one.stepped.done if one.stepped else 0 for one in (trial, base[0]))
        if done != expected:
            return None, f"it ended after {done} steps, and not after {expected}"
        twins = [(base[0], again) for again in base[1:]]
        compared = compare(base[0], trial, twins)
        if not any(one.aspect == "variables" and one.number for one in compared):
            return None, "no variables could be compared"
        different = [one for one in compared if not one.equal]
        return not different, "; ".join(f"{one.aspect}: {one.text}" for one in different)

    def _result(self) -> Tuning:
        assert self._scene is not None
        alternatives = self._alternatives()
        able = [
            (found.factor or 0.0, one, found)
            for one, found in zip(self._measured[1:], alternatives[1:], strict=True)
            if found.same and (found.factor or 0.0) >= GAIN
        ]
        best = max(able, key=_first_of, default=None)
        return Tuning(
            program=self._laboratory.place.name,
            where=self._scene.where,
            steps=self._steps - self._warm,
            warm_steps=self._warm,
            runs=RUNS,
            alternatives=tuple(alternatives),
            best=best[2].name if best else "",
            diff=self._diff(best[1].variant) if best else "",
            notes=tuple(self._notes(alternatives)),
        )

    def _notes(self, alternatives: Sequence[Alternative]) -> list[str]:
        base = self._measured[0]
        if not base.trials:
            return [f"the program as it is could not be measured: {base.reason}"]
        epoch = base.trials[0].stepped.epoch if base.trials[0].stepped else None
        if epoch is None and any(one.name == "cache" for one in alternatives):
            return [f"no second epoch began in {self._steps} steps, so that a cache cannot help: see --steps"]
        return []

    def changes(self, best: str) -> dict[str, tuple[bytes, str]]:
        """The files of a variant: as they were, and edited."""
        variant = next(one.variant for one in self._measured if one.variant.name == best)
        texts = edited(self._laboratory.text, variant.edits)
        return {path: (self._laboratory.content(path), text) for path, text in texts.items()}

    def _diff(self, variant: Variant) -> str:
        texts = edited(self._laboratory.text, variant.edits)
        return "".join(diff_of(path, self._laboratory.text(path), text) for path, text in texts.items())

    def _unknown(self, trial: Trial) -> Tuning:
        """What is said where there is nothing to measure."""
        if trial.ended.status or trial.ended.stopped:
            why = f"the program could not be run: {trial.error or 'stopped by ' + trial.ended.stopped}"
        elif trial.stepped is None or not trial.stepped.stacks:
            why = "no training was seen: no `fit`, no gradient tape, no graph function that is called again"
        else:
            why = "the steps are not taken by a loop of the program's own files"
        return Tuning(program=self._laboratory.place.name, notes=(why,))


def _first_of(found: tuple[float, object] | tuple[float, object, object]) -> float:
    return found[0]
