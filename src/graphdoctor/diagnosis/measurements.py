"""What the preflight wrote down, read back."""

from __future__ import annotations

from statistics import mean, pstdev

import msgspec


class Leaf(msgspec.Struct, frozen=True):
    """One part of a batch: a tensor with dtype and shape, or a Python object with its type."""

    path: str
    dtype: str | None = None
    shape: tuple[int | None, ...] | None = None
    type: str | None = None


class Step(msgspec.Struct, frozen=True):
    """One step: how long, how much of it was tracing, and what it was given."""

    seconds: float
    traces: int
    tracing_seconds: float
    finite: bool
    leaves: tuple[Leaf, ...]

    @property
    def shapes(self) -> tuple[tuple[str, tuple[int | None, ...]], ...]:
        """The shapes of its tensors, by path."""
        return tuple((leaf.path, leaf.shape) for leaf in self.leaves if leaf.shape is not None)


class Phase(msgspec.Struct, frozen=True):
    """The steps of training, accumulation or validation."""

    name: str
    steps: tuple[Step, ...]

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


def mean_and_spread(steps: tuple[Step, ...]) -> tuple[float, float]:
    """Mean and standard deviation of the steps' seconds."""
    seconds = [step.seconds for step in steps]
    return mean(seconds), pstdev(seconds)


class Measurements(msgspec.Struct, frozen=True):
    """All phases, or those before the error."""

    phases: tuple[Phase, ...]
    error: str | None = None
