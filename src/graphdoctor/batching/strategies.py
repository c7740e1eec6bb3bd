"""The ways to make batches of examples of different lengths."""

from __future__ import annotations

from dataclasses import dataclass

from graphdoctor.batching.errors import BatchingError, require_positive
from graphdoctor.batching.histogram import Lengths
from graphdoctor.batching.plan import Plan


@dataclass(frozen=True)
class Fixed:
    """Every batch padded to one shape: one trace, one XLA compilation, the most padding."""

    shape: Lengths

    def __post_init__(self) -> None:
        for value in self.shape:
            require_positive("shape", value)

    @property
    def bounds(self) -> tuple[Lengths, ...]:
        """The one shape, as the only bucket."""
        return (self.shape,)


@dataclass(frozen=True)
class Buckets:
    """Every batch padded to its bucket: as many traces and compilations as there are buckets."""

    bounds: tuple[Lengths, ...]

    def __post_init__(self) -> None:
        if not self.bounds:
            raise BatchingError("`bounds` must hold at least one bucket")
        for bound in self.bounds:
            for value in bound:
                require_positive("bounds", value)

    @staticmethod
    def of(plan: Plan) -> Buckets:
        """The buckets of a plan."""
        return Buckets(plan.bounds)


@dataclass(frozen=True)
class SortedPools:
    """Batches of neighbours in length, each padded to its own longest.

    `pool_batches` batches' worth of shuffled examples are sorted by length, cut into batches, and
    the batches shuffled. Needs a signature with `None` lengths: one trace, but under XLA one
    compilation per distinct shape. `multiple_of` rounds shapes up, so that there are fewer.
    """

    pool_batches: int = 16
    multiple_of: int = 1
    limit: Lengths | None = None

    def __post_init__(self) -> None:
        require_positive("pool_batches", self.pool_batches)
        require_positive("multiple_of", self.multiple_of)
        for value in self.limit or ():
            require_positive("limit", value)


Strategy = Fixed | Buckets | SortedPools
