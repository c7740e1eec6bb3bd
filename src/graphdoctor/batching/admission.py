"""What may enter the batches: enough examples, none too long, and nothing lost in silence."""

from __future__ import annotations

import warnings

from graphdoctor.batching.errors import BatchingError, OverlongWarning
from graphdoctor.batching.histogram import LengthHistogram, Lengths
from graphdoctor.batching.plan import Overlong, OverlongPolicy, fits
from graphdoctor.batching.strategies import SortedPools, Strategy


def limits_of(strategy: Strategy) -> tuple[Lengths, ...]:
    """The longest shapes that a strategy takes; none when it takes all."""
    if isinstance(strategy, SortedPools):
        return (strategy.limit,) if strategy.limit else ()
    return strategy.bounds


def check_sizes(lengths: LengthHistogram, batch_size: int, remainder: str) -> None:
    """Refuse an empty dataset, and batches that it cannot fill."""
    if lengths.total == 0:
        raise BatchingError("The dataset is empty: expected at least one example")
    if remainder not in ("drop", "fill"):
        raise BatchingError(f"`remainder` must be drop or fill, got {remainder!r}")
    if remainder == "drop" and batch_size > lengths.total:
        raise BatchingError(
            f"A batch of {batch_size} is larger than the {lengths.total} examples:"
            " nothing would be left; lower `batch_size` or use remainder='fill'"
        )


def report_overlong(
    lengths: LengthHistogram,
    limits: tuple[Lengths, ...],
    policy: OverlongPolicy,
    batch_size: int,
    remainder: str,
) -> None:
    """Warn of, or refuse, examples that fit nowhere: nothing is lost in silence."""
    if not limits:
        return
    if any(len(limit) != lengths.axes for limit in limits):
        raise BatchingError(f"The strategy has {len(limits[0])} lengths, the examples {lengths.axes}")
    over = [item for item in lengths if not any(fits(item[0], limit) for limit in limits)]
    if not over:
        return
    longest = tuple(max(length[axis] for length, _ in over) for axis in range(lengths.axes))
    report = Overlong(policy, limits[-1], sum(count for _, count in over), longest)
    sentence = report.sentence(lengths.total)
    if policy in ("error", "extend"):
        raise BatchingError(f"{sentence}: plan a longer bucket, or choose drop or cut")
    left = lengths.total - report.examples
    if policy == "drop" and (left == 0 or (remainder == "drop" and left < batch_size)):
        raise BatchingError(f"{sentence}, which leaves {left} for a batch of {batch_size}")
    warnings.warn(sentence, OverlongWarning, stacklevel=3)
