"""Lengths → bucket bounds that cost least, padded work weighed against traces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from graphdoctor.batching.errors import BatchingError, require_positive
from graphdoctor.batching.grid import Boxes, Work, assign, partition_grid
from graphdoctor.batching.histogram import LengthHistogram, Lengths, as_histogram
from graphdoctor.batching.line import partition_line
from graphdoctor.batching.plan import Bucket, Choice, Overlong, OverlongPolicy, Plan, fits, shape

Items = list[tuple[Lengths, int]]
MAX_BINS = 65_536


def plan_buckets(
    lengths: LengthHistogram | Iterable[object],
    *,
    buckets: int | None = None,
    max_buckets: int = 16,
    batch_size: int = 32,
    epochs: int = 1,
    cost_per_trace: float = 60.0,
    limit: int | Lengths | None = None,
    overlong: OverlongPolicy = "error",
    multiple_of: int = 1,
    work: Work | None = None,
    partial_batches: bool = False,
) -> Plan:
    """The buckets that cost least: exact for one length, by the heuristic of `grid` for two.

    Args:
        lengths: whole numbers, tuples of two (text, mel), or a `LengthHistogram` of a stream.
        buckets: exactly so many; without it, as many as pay, up to `max_buckets`.
        cost_per_trace: what one more bucket costs (a trace, or an XLA compilation), in mean
            steps: seconds of a trace divided by seconds of a mean step.
        limit: no bucket is longer; examples that are meet the `overlong` policy.
        multiple_of: bounds are multiples of this.
        work: padded work of one example from its padded lengths, rising; the sum by default.
        partial_batches: count the rows that fill each bucket's last batch when choosing how many.
    """
    _check_settings(buckets, max_buckets, batch_size, epochs, cost_per_trace, multiple_of, overlong)
    histogram = as_histogram(lengths, MAX_BINS)
    if histogram.axes > 2:
        raise BatchingError(f"Expected one or two lengths per example, got {histogram.axes}")
    measure = _exact_sum if work is None else work
    items, excess = _apply_limit(histogram, limit, overlong)
    real = sum(measure(*length) * count for length, count in items)
    ceiling = None if overlong == "extend" else excess.limit if excess else None
    rounded = _round_up(items, multiple_of, ceiling)
    most = _most_buckets(rounded, buckets, max_buckets)
    plans = _partition(rounded, measure, most)
    mean_step = real / sum(count for _, count in items) * batch_size
    rows = batch_size if partial_batches else 1
    choices = [
        _choice(rounded, boxes, measure, rows, real, mean_step, epochs, cost_per_trace) for _, boxes in plans
    ]
    if buckets is None:
        chosen = min(range(len(plans)), key=lambda index: (choices[index].cost, index))
    else:
        chosen = len(plans) - 1
    padded, boxes = plans[chosen]
    _, counts, _ = assign(rounded, boxes, measure)
    return Plan(
        buckets=tuple(map(Bucket, boxes, counts)),
        real_work=real,
        padded_work=padded,
        cost=choices[chosen].cost,
        choices=tuple(choices),
        method="exact" if histogram.axes == 1 else "heuristic",
        quantum=histogram.quantum,
        overlong=excess,
    )


def _exact_sum(*lengths: int) -> float:
    return sum(lengths)


def _partition(items: Items, work: Work, most: int) -> list[tuple[float, Boxes]]:
    if len(items[0][0]) == 2:
        return partition_grid(items, work, most)
    ends = [length for (length,), _ in items]
    works = [work(end) for end in ends]
    if any(now < before for before, now in pairwise(works)):
        raise BatchingError("`work` must not fall when a length grows")
    plans = partition_line([count for _, count in items], works, most)
    return [(padded, tuple((ends[index],) for index in groups)) for padded, groups in plans]


def _choice(
    items: Items,
    boxes: Boxes,
    work: Work,
    rows: int,
    real: float,
    mean_step: float,
    epochs: int,
    cost_per_trace: float,
) -> Choice:
    _, counts, _ = assign(items, boxes, work)
    padded = sum(-(-count // rows) * rows * work(*box) for count, box in zip(counts, boxes, strict=True))
    cost = epochs * padded / mean_step + len(boxes) * cost_per_trace
    return Choice(buckets=len(boxes), waste=padded / real - 1, cost=cost)


def _apply_limit(
    histogram: LengthHistogram, limit: int | Lengths | None, policy: OverlongPolicy
) -> tuple[Items, Overlong | None]:
    items = histogram.items()
    if limit is None:
        return items, None
    most = _checked_limit(limit, histogram.axes)
    over = [(length, count) for length, count in items if not fits(length, most)]
    if not over:
        return items, None
    longest = tuple(max(length[axis] for length, _ in over) for axis in range(histogram.axes))
    report = Overlong(policy, most, sum(count for _, count in over), longest)
    if policy == "error":
        raise BatchingError(
            f"{report.sentence(histogram.total)}: raise the limit, or choose drop, cut or extend"
        )
    if policy == "extend":
        return items, report
    kept = [(length, count) for length, count in items if fits(length, most)]
    if policy == "cut":
        kept += [(tuple(map(min, length, most)), count) for length, count in over]
    if not kept:
        raise BatchingError(f"All {histogram.total} examples exceed {shape(most)}")
    return kept, report


def _checked_limit(limit: int | Lengths, axes: int) -> Lengths:
    most = (limit,) if isinstance(limit, int) else tuple(limit)
    if len(most) != axes:
        raise BatchingError(f"`limit` must have {axes} lengths, got {limit!r}")
    for value in most:
        require_positive("limit", value)
    return most


def _round_up(items: Iterable[tuple[Lengths, int]], multiple: int, ceiling: Lengths | None) -> Items:
    rounded: dict[Lengths, int] = {}
    for length, count in items:
        cell = tuple(-(-value // multiple) * multiple for value in length)
        if ceiling:
            cell = tuple(map(min, cell, ceiling))
        rounded[cell] = rounded.get(cell, 0) + count
    return sorted(rounded.items())


def _most_buckets(items: Sequence[object], buckets: int | None, max_buckets: int) -> int:
    if buckets is not None and buckets > len(items):
        raise BatchingError(
            f"{buckets} buckets were asked for, but there are only {len(items)} distinct lengths"
        )
    return min(len(items), max_buckets) if buckets is None else buckets


def _check_settings(
    buckets: int | None,
    max_buckets: int,
    batch_size: int,
    epochs: int,
    cost_per_trace: float,
    multiple_of: int,
    overlong: str,
) -> None:
    require_positive("max_buckets", max_buckets)
    require_positive("batch_size", batch_size)
    require_positive("epochs", epochs)
    require_positive("multiple_of", multiple_of)
    if buckets is not None:
        require_positive("buckets", buckets)
    if not 0 <= cost_per_trace < float("inf"):
        raise BatchingError(f"`cost_per_trace` must be zero or more, got {cost_per_trace!r}")
    if overlong not in ("error", "drop", "cut", "extend"):
        raise BatchingError(f"`overlong` must be error, drop, cut or extend, got {overlong!r}")
