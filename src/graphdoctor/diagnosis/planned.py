"""The batches that would cost least in the long run, from the lengths and the seconds that were measured."""

from __future__ import annotations

from statistics import mean

import msgspec

from graphdoctor.batching import (
    BatchingError,
    Buckets,
    Costs,
    Estimate,
    LengthHistogram,
    SortedPools,
    recommend,
)
from graphdoctor.batching.plan import padding_share, shape
from graphdoctor.batching.recommendation import estimate_unplanned
from graphdoctor.diagnosis.lengths import Axis, batch_lengths, example_lengths, rows_of, varying_axes
from graphdoctor.diagnosis.measurements import Phase, Step
from graphdoctor.model.words import count, duration


class Way(msgspec.Struct, frozen=True):
    """One way to make the batches, and what it is expected to take."""

    name: str
    seconds: float
    traces: int
    compilations: int
    padding: float
    lengths: tuple[tuple[int, ...], ...] = ()

    @property
    def title(self) -> str:
        """The way, with the lengths that batches are padded to."""
        return " ".join([self.name, ", ".join(map(shape, self.lengths))]).strip()


class LongRun(msgspec.Struct, frozen=True):
    """Ways to make the batches of a long run, the cheapest first, and what today's would take at least.

    At least, because the run will meet shapes that these few steps did not show.
    """

    steps: int
    axes: tuple[str, ...]
    lengths: int
    source: str
    trace_seconds: float
    compilation_seconds: float
    step_seconds: float
    today: Way
    ways: tuple[Way, ...]

    @property
    def saved(self) -> float:
        """The seconds that the cheapest way would save."""
        return self.today.seconds - self.ways[0].seconds

    def sentence(self) -> str:
        """Where the figures come from."""
        compiled = f", {duration(self.compilation_seconds)} a compilation" if self.compilation_seconds else ""
        return (
            f"from {count(self.lengths, 'length')} ({self.source}) and the measured"
            f" {duration(self.trace_seconds)} a trace{compiled}, {duration(self.step_seconds)} a warm step"
        )


def plan_long_run(phase: Phase, compiled: bool, steps: int) -> LongRun | None:
    """The ways for so many steps; None where lengths do not vary, or nothing can be measured."""
    axes = varying_axes(phase)
    warm = phase.warm_seconds(compiled)
    if not axes or not warm:
        return None
    lengths = example_lengths(phase, axes)
    rows = rows_of(phase) if lengths else 1
    costs = _costs(phase, axes, compiled, rows)
    try:
        ways, today = _weigh(
            lengths or batch_lengths(axes), costs, rows, steps, compiled, phase.late_traces > 0
        )
    except BatchingError:  # a plan is an offer: where none can be made, the rest stands without it
        return None
    return LongRun(
        steps=steps,
        axes=tuple(map(str, axes)),
        lengths=len(lengths) or len(phase.steps),
        source=_source(axes, bool(lengths)),
        trace_seconds=round(costs.per_trace, 6),
        compilation_seconds=round(costs.per_compilation, 6),
        step_seconds=round(mean(warm), 6),
        today=today,
        ways=ways,
    )


def _weigh(
    lengths: list[tuple[int, ...]], costs: Costs, rows: int, steps: int, compiled: bool, traced: bool
) -> tuple[tuple[Way, ...], Way]:
    """The lengths seen stand for those of the whole run, in the same proportions."""
    histogram = LengthHistogram(len(lengths[0]))
    often = max(1, round(steps * rows / len(lengths)))
    for one in lengths:
        histogram.add(one, often)
    found = recommend(histogram, costs, batch_size=rows, epochs=1, xla=compiled, max_buckets=8)
    now = estimate_unplanned(histogram, costs, batch_size=rows, xla=compiled, traced=traced)
    kept = [one for one in found.estimates if not _is_another(one, rows, traced)]
    return tuple(_way(one, _name(one, rows)) for one in kept), _way(now, "as now")


def _is_another(estimate: Estimate, rows: int, traced: bool) -> bool:
    """Whether a way is another one by its nature: one bucket is a fixed shape, and `None` may be today's."""
    if isinstance(estimate.strategy, Buckets):
        return len(estimate.strategy.bounds) == 1
    return isinstance(estimate.strategy, SortedPools) and rows == 1 and not traced


def _name(estimate: Estimate, rows: int) -> str:
    if isinstance(estimate.strategy, SortedPools):
        return "sorted_pools, `None` lengths" if rows > 1 else "the same batches, `None` lengths"
    return "pad to" if estimate.name == "fixed" else "buckets"


def _way(estimate: Estimate, name: str) -> Way:
    return Way(
        name=name,
        seconds=round(estimate.seconds, 6),
        traces=estimate.traces,
        compilations=estimate.compilations,
        padding=round(padding_share(estimate.waste), 6),
        lengths=getattr(estimate.strategy, "bounds", ()),
    )


def _source(axes: tuple[Axis, ...], known: bool) -> str:
    if known:
        return " and ".join(f"`{axis.vector}`" for axis in axes)
    return "of batches: " + " and ".join(map(str, axes))


def _costs(phase: Phase, axes: tuple[Axis, ...], compiled: bool, rows: int) -> Costs:
    works = [rows * sum(sizes) for sizes in batch_lengths(axes)]
    work_of = {id(step): work for step, work in zip(phase.steps, works, strict=True)}
    points = [(work_of[id(step)], step.seconds) for step in phase.warm(compiled)]
    points = points or [(works[-1], seconds) for seconds in phase.repeated]
    per_unit, per_step = _line(points)
    new = _first_of_their_shape(phase.steps)[1:]  # the very first step also does what a process does once
    over = mean([max(step.seconds - per_step - per_unit * work_of[id(step)], 0.0) for step in new] or [0.0])
    traced = [step.tracing_seconds for step in phase.steps if step.traces]
    tracing = mean(traced[1:] or traced or [0.0])
    tracing_within = mean([step.tracing_seconds for step in new] or [0.0])
    return Costs(
        per_trace=tracing if compiled else max(tracing, over),
        per_unit=per_unit,
        per_step=per_step,
        per_compilation=max(over - tracing_within, 1e-6) if compiled else 0.0,
    )


def _line(points: list[tuple[int, float]]) -> tuple[float, float]:
    """Seconds per unit of padded work and per step; proportional where only one work was seen."""
    middle_work, middle = mean(work for work, _ in points), mean(seconds for _, seconds in points)
    spread = sum((work - middle_work) ** 2 for work, _ in points)
    if spread == 0:
        return middle / middle_work, 0.0
    slope = sum((work - middle_work) * (seconds - middle) for work, seconds in points) / spread
    slope = min(max(slope, 1e-3 * middle / middle_work), middle / middle_work)
    return slope, middle - slope * middle_work


def _first_of_their_shape(steps: tuple[Step, ...]) -> list[Step]:
    firsts: dict[object, Step] = {}
    for step in steps:
        firsts.setdefault(step.shapes, step)
    return list(firsts.values())
