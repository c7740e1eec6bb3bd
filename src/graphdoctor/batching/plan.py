"""What a plan is: buckets, what they pad, what they cost, and what did not fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from graphdoctor.batching.errors import BatchingError
from graphdoctor.batching.histogram import Lengths

OverlongPolicy = Literal["error", "drop", "cut", "extend"]


@dataclass(frozen=True)
class Bucket:
    """Examples that are padded to the same lengths."""

    bound: Lengths
    examples: int


@dataclass(frozen=True)
class Overlong:
    """Examples beyond the limit, and what happens to them."""

    policy: OverlongPolicy
    limit: Lengths
    examples: int
    longest: Lengths

    def sentence(self, total: int) -> str:
        """One line for the user: how many, how long, and their fate."""
        fate = {
            "error": "are refused",
            "drop": "are dropped",
            "cut": "are cut",
            "extend": "got a longer bucket",
        }[self.policy]
        share = 100 * self.examples / total
        return (
            f"{self.examples} of {total} examples ({share:.1f} %) exceed {shape(self.limit)}"
            f" (longest {shape(self.longest)}) and {fate}"
        )


def padding_share(waste: float) -> float:
    """The share of padded work that is padding: an overhead of 100 % is half of it."""
    return waste / (1 + waste)


@dataclass(frozen=True)
class Choice:
    """One number of buckets: its waste, and its total cost in mean steps."""

    buckets: int
    waste: float
    cost: float


@dataclass(frozen=True)
class Plan:
    """Bucket bounds with all that led to them.

    `real_work` and `padded_work` are those of one epoch. A *mean step* is the step of a full batch
    without any padding; costs are counted in it.
    """

    buckets: tuple[Bucket, ...]
    real_work: float
    padded_work: float
    cost: float
    choices: tuple[Choice, ...]
    method: Literal["exact", "heuristic"]
    quantum: int
    overlong: Overlong | None = None

    @property
    def waste(self) -> float:
        """Padded work over real work, minus one."""
        return self.padded_work / self.real_work - 1

    @property
    def bounds(self) -> tuple[Lengths, ...]:
        """The padded lengths of each bucket, the least work first."""
        return tuple(bucket.bound for bucket in self.buckets)

    @property
    def examples(self) -> int:
        """How many examples the buckets hold."""
        return sum(bucket.examples for bucket in self.buckets)

    def bucket_of(self, length: int | Sequence[int]) -> int:
        """The index of the cheapest bucket that holds an example of this length."""
        lengths = (length,) if isinstance(length, int) else tuple(length)
        for index, bound in enumerate(self.bounds):
            if fits(lengths, bound):
                return index
        raise BatchingError(f"No bucket holds {shape(lengths)}: the largest is {self.bounds[-1]}")

    def as_dict(self) -> dict[str, Any]:
        """The plan as plain values, for JSON."""
        return {**asdict(self), "waste": self.waste}


def fits(lengths: Lengths, bound: Lengths) -> bool:
    """Whether an example fits into a bucket on every axis."""
    return all(map(int.__le__, lengths, bound))


def shape(lengths: Lengths) -> str:
    """`800` for one axis, `200 x 800` for two."""
    return " x ".join(map(str, lengths))
