"""What the preflight wrote down, read back."""

from __future__ import annotations

from statistics import mean, median, pstdev
from typing import Any

import msgspec


class Leaf(msgspec.Struct, frozen=True):
    """One part of a batch: a tensor with dtype and shape, or a Python object with its type."""

    path: str
    dtype: str | None = None
    shape: tuple[int | None, ...] | None = None
    type: str | None = None


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step: how long, how much of it was tracing, and what it was given.

    `input_seconds` is how long its batch was waited for; None for the first batch of an epoch. `vectors` are
    the vectors of whole numbers among its inputs: perhaps the lengths of the examples.
    """

    seconds: float
    traces: int
    tracing_seconds: float
    finite: bool
    leaves: tuple[Leaf, ...]
    vectors: dict[str, tuple[int, ...]] = {}
    input_seconds: float | None = None

    @property
    def shapes(self) -> tuple[tuple[str, tuple[int | None, ...]], ...]:
        """The shapes of its tensors, by path."""
        return tuple((leaf.path, leaf.shape) for leaf in self.leaves if leaf.shape is not None)


class Part(msgspec.Struct, frozen=True):
    """The sampled seconds of one phase of the account inside the later steps, and the line that took most."""

    seconds: float
    path: str = ""
    line: int = 0


class Phase(msgspec.Struct, frozen=True):
    """The steps of training, accumulation or validation.

    `repeated` are the seconds of the last batch given again, where no step had the shapes of another;
    `function` says whether the step is a `tf.function` itself; `parts` are those of the time inside the later
    steps; `pulls_input`: a step draws its batch itself, and `waited_seconds` is what its later steps waited
    for them, where that could be measured.
    """

    name: str
    steps: tuple[Step, ...]
    repeated: tuple[float, ...] = ()
    function: bool = False
    parts: dict[str, Part] = {}
    pulls_input: bool = False
    waited_seconds: float | None = None

    @property
    def seconds(self) -> float:
        """All of its time."""
        return sum(step.seconds for step in self.steps)

    @property
    def tracing_seconds(self) -> float:
        """The time that went into tracing."""
        return sum(step.tracing_seconds for step in self.steps)

    @property
    def late_traces(self) -> int:
        """Traces after the first step."""
        return sum(step.traces for step in self.steps[1:])

    @property
    def traces(self) -> int:
        """All of its traces."""
        return sum(step.traces for step in self.steps)

    @property
    def in_graph(self) -> bool:
        """Whether its step is a `tf.function`, or traced one."""
        return self.function or self.traces > 0

    @property
    def generalised(self) -> bool:
        """Whether the last trace took shapes that it was not made for, as with `None` lengths."""
        if self.traces == 0:
            return False
        last = max(number for number, step in enumerate(self.steps) if step.traces)
        before = {step.shapes for step in self.steps[: last + 1]}
        return any(step.shapes not in before for step in self.steps[last + 1 :])

    @property
    def settled(self) -> bool:
        """Whether one trace serves every shape: the first, or a second that was made for all."""
        return self.late_traces == 0 or (self.late_traces == 1 and self.generalised)

    @property
    def distinct_shapes(self) -> int:
        """How many different sets of shapes the batches had."""
        return len({step.shapes for step in self.steps})

    def warm(self, compiled: bool) -> tuple[Step, ...]:
        """The later steps that did not trace, nor (where XLA compiles) met a new shape."""
        found = []
        seen = {self.steps[0].shapes}
        for step in self.steps[1:]:
            if step.traces == 0 and (step.shapes in seen or not compiled):
                found.append(step)
            seen.add(step.shapes)
        return tuple(found)

    def warm_seconds(self, compiled: bool) -> tuple[float, ...]:
        """The seconds of its warm steps, or of its last batch given again where no step was warm."""
        return tuple(step.seconds for step in self.warm(compiled)) or self.repeated

    @property
    def input_wait(self) -> tuple[float, float] | None:
        """What a later step waits for its batch, and its part of the step with the wait; None if unknown."""
        later = self.steps[1:]
        if self.waited_seconds is not None:
            wait, total = self.waited_seconds / len(later), mean(one.seconds for one in later)
        elif self.pulls_input:
            return None
        else:
            waits = [(one.input_seconds, one.seconds) for one in later if one.input_seconds is not None]
            if not waits:
                return None
            wait = median(waited for waited, _ in waits)
            total = median(waited + taken for waited, taken in waits)
        return wait, min(wait / total, 1.0) if total > 0 else 0.0

    def lost(self, compiled: bool) -> float:
        """The seconds after the first step that went into traces and, as far as we know, compilations."""
        warm = self.warm_seconds(compiled)
        usual = mean(warm) if warm else None
        seen = {self.steps[0].shapes}
        lost = 0.0
        for step in self.steps[1:]:
            new = compiled and step.shapes not in seen
            over = max(step.seconds - usual, 0.0) if usual is not None and new else 0.0
            lost += max(step.tracing_seconds, over)
            seen.add(step.shapes)
        return lost


def mean_and_spread(seconds: tuple[float, ...]) -> tuple[float, float]:
    """Mean and standard deviation."""
    return mean(seconds), pstdev(seconds)


class Measurements(msgspec.Struct, frozen=True):
    """All phases, or those before the error; `settings` are those of the trainer's own `config`."""

    phases: tuple[Phase, ...]
    error: str | None = None
    settings: dict[str, Any] | None = None
