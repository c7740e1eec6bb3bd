"""Which strategy costs least for these lengths and these measured costs, and why."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace

from graphdoctor.batching.costs import Costs
from graphdoctor.batching.errors import BatchingError
from graphdoctor.batching.grid import Work
from graphdoctor.batching.histogram import LengthHistogram, Lengths, as_histogram
from graphdoctor.batching.plan import Plan, padding_share, shape
from graphdoctor.batching.planning import MAX_BINS, plan_buckets
from graphdoctor.batching.strategies import Buckets, Fixed, SortedPools, Strategy

SIMULATED_EXAMPLES = 20_000
SIMULATED_EPOCHS = 20


@dataclass(frozen=True)
class Estimate:
    """A strategy with what it is expected to take over all epochs."""

    strategy: Strategy
    seconds: float
    traces: int
    compilations: int
    waste: float

    @property
    def name(self) -> str:
        """`fixed`, `buckets` or `sorted_pools`."""
        return {Fixed: "fixed", Buckets: "buckets", SortedPools: "sorted_pools"}[type(self.strategy)]

    def sentence(self) -> str:
        """One line with every figure."""
        compiled = f", {self.compilations} compilations" if self.compilations else ""
        plural = "trace" if self.traces == 1 else "traces"
        return (
            f"{self.name}: {self.seconds:.4g} s, {self.traces} {plural}{compiled},"
            f" {100 * padding_share(self.waste):.1f} % padding"
        )


@dataclass(frozen=True)
class Recommendation:
    """The cheapest strategy, all that were weighed (cheapest first), and why."""

    strategy: Strategy
    estimates: tuple[Estimate, ...]
    reason: str


def recommend(
    lengths: LengthHistogram | Iterable[object],
    costs: Costs,
    *,
    batch_size: int,
    epochs: int,
    xla: bool = False,
    static: bool = False,
    max_buckets: int = 16,
    pool_batches: int = 16,
    work: Work | None = None,
) -> Recommendation:
    """The strategy with the least expected seconds.

    Args:
        xla: the step is compiled: every new shape also costs `costs.per_compilation`.
        static: shapes must be static for another reason (an accelerator, an export), which rules
            out sorted pools.
    """
    if xla and costs.per_compilation == 0:
        raise BatchingError("With `xla` the costs need `per_compilation`: measure it first")
    histogram = as_histogram(lengths, MAX_BINS)
    measure: Work = _sum if work is None else work
    judge = _Judge(histogram, costs, batch_size, epochs, xla, measure)
    estimates = [judge.fixed(), judge.buckets(max_buckets)]
    if not static:
        estimates.append(judge.pooled(SortedPools(pool_batches), traced=False))
    estimates.sort(key=lambda estimate: estimate.seconds)
    return Recommendation(estimates[0].strategy, tuple(estimates), _reason(estimates, xla, static))


def estimate_unplanned(
    lengths: LengthHistogram | Iterable[object],
    costs: Costs,
    *,
    batch_size: int,
    epochs: int = 1,
    xla: bool = False,
    traced: bool = True,
    work: Work | None = None,
) -> Estimate:
    """What random batches, each padded to its longest, are expected to take.

    Every new shape costs a compilation with `xla`, and a trace unless `traced` is false (as with a
    signature of `None` lengths).
    """
    measure: Work = _sum if work is None else work
    judge = _Judge(as_histogram(lengths, MAX_BINS), costs, batch_size, epochs, xla, measure)
    return judge.pooled(SortedPools(pool_batches=1), traced)


def _sum(*lengths: int) -> float:
    return sum(lengths)


@dataclass(frozen=True)
class _Judge:
    histogram: LengthHistogram
    costs: Costs
    batch_size: int
    epochs: int
    xla: bool
    work: Work

    def fixed(self) -> Estimate:
        plan = self._plan(1)
        return replace(self._of_plan(plan), strategy=Fixed(plan.bounds[0]))

    def buckets(self, max_buckets: int) -> Estimate:
        return self._of_plan(self._plan(max_buckets))

    def pooled(self, strategy: SortedPools, traced: bool) -> Estimate:
        """With `traced`, every new shape is traced."""
        lengths, scale = _expand(self.histogram)
        padded, real, batches = 0.0, 0.0, 0
        shapes: set[Lengths] = set()
        epochs = min(self.epochs, SIMULATED_EPOCHS if self.xla or traced else 1)
        for epoch in range(epochs):
            for bound, rows in _pooled(lengths, self.batch_size, strategy.pool_batches, epoch):
                padded += rows * self.work(*bound)
                batches += 1
                shapes.add(bound)
            real += sum(self.work(*length) for length in lengths)
        each_epoch = scale / epochs
        seconds = self.costs.per_unit * padded + self.costs.per_step * batches
        compilations = len(shapes) if self.xla else 0
        traces = len(shapes) if traced else 1
        return Estimate(
            strategy=strategy,
            seconds=self.epochs * seconds * each_epoch + self._start(traces, compilations),
            traces=traces,
            compilations=compilations,
            waste=padded / real - 1,
        )

    def _plan(self, max_buckets: int) -> Plan:
        mean = sum(self.work(*length) * count for length, count in self.histogram)
        mean /= self.histogram.total
        step = self.costs.static_slowdown * self.costs.per_unit * mean * self.batch_size
        return plan_buckets(
            self.histogram,
            max_buckets=max_buckets,
            batch_size=self.batch_size,
            epochs=self.epochs,
            cost_per_trace=self._start(1, int(self.xla)) / step,
            work=self.work,
            partial_batches=True,
        )

    def _of_plan(self, plan: Plan) -> Estimate:
        batches = [-(-bucket.examples // self.batch_size) for bucket in plan.buckets]
        padded = sum(
            count * self.batch_size * self.work(*bucket.bound)
            for count, bucket in zip(batches, plan.buckets, strict=True)
        )
        seconds = self.costs.per_unit * padded + self.costs.per_step * sum(batches)
        traces = len(plan.buckets)
        compilations = traces if self.xla else 0
        return Estimate(
            strategy=Buckets.of(plan),
            seconds=self.epochs * seconds * self.costs.static_slowdown + self._start(traces, compilations),
            traces=traces,
            compilations=compilations,
            waste=padded / plan.real_work - 1,
        )

    def _start(self, traces: int, compilations: int) -> float:
        return traces * self.costs.per_trace + compilations * self.costs.per_compilation


def _expand(histogram: LengthHistogram) -> tuple[list[Lengths], float]:
    """Single lengths in the histogram's proportions, and how many examples each stands for."""
    scale = max(1.0, histogram.total / SIMULATED_EXAMPLES)
    lengths: list[Lengths] = []
    owed = 0.0
    for length, count in histogram:
        owed += count / scale
        whole = round(owed)
        lengths += [length] * whole
        owed -= whole
    return lengths, histogram.total / len(lengths)


def _pooled(
    lengths: list[Lengths], batch_size: int, pool_batches: int, epoch: int
) -> Iterable[tuple[Lengths, int]]:
    """The padded shape and the rows of every batch of an epoch of sorted pools."""
    order = lengths[:]
    random.Random(epoch).shuffle(order)
    size = batch_size * pool_batches
    for start in range(0, len(order), size):
        pool = sorted(order[start : start + size], key=lambda length: length[::-1])
        for first in range(0, len(pool), batch_size):
            batch = pool[first : first + batch_size]
            yield tuple(map(max, *batch)) if len(batch) > 1 else batch[0], batch_size


def _reason(estimates: list[Estimate], xla: bool, static: bool) -> str:
    best, rest = estimates[0], estimates[1:]
    why = {
        "fixed": "more traces would cost more than the padding that they save",
        "buckets": "the padding saved is worth more than a trace per bucket"
        + (" and shapes stay few enough for XLA" if xla else "")
        + (", and static shapes were asked for" if static else ""),
        "sorted_pools": "one trace with `None` lengths serves every shape,"
        " and neighbours in length need little padding",
    }[best.name]
    bounds = best.strategy.bounds if isinstance(best.strategy, Fixed | Buckets) else ()
    at = f" (padded to {', '.join(map(shape, bounds))})" if bounds else ""
    others = "; ".join(estimate.sentence() for estimate in rest)
    return f"{best.sentence()}{at}: {why}. Instead {others}."
