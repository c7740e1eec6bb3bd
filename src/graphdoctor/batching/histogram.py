"""Lengths counted in bounded memory, one axis (mel) or several (text and mel)."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from graphdoctor.batching.errors import BatchingError, require_positive

Lengths = tuple[int, ...]
CHUNK = 65_536


class LengthHistogram:
    """Counts of lengths: exact while they fit into `max_bins`, afterwards in bins of 2, 4, 8, … .

    A bin stands for its longest possible length, so a plan made from wide bins never promises
    less padding than there will be.
    """

    def __init__(self, axes: int = 1, max_bins: int = CHUNK) -> None:
        require_positive("axes", axes)
        require_positive("max_bins", max_bins)
        self.axes = axes
        self.max_bins = max_bins
        self.quantum = 1
        self.total = 0
        self.maxima: Lengths = (0,) * axes
        self.sums: Lengths = (0,) * axes
        self._counts: Counter[Lengths] = Counter()

    def add(self, length: object, count: int = 1) -> None:
        """Count one length (or one tuple of lengths) `count` times."""
        self._add(self._checked(length), count)

    def update(self, lengths: Iterable[object]) -> LengthHistogram:
        """Count a stream of lengths of any size; returns itself."""
        stream = iter(lengths)
        while chunk := Counter(self._checked(length) for length in islice(stream, CHUNK)):
            for length, count in chunk.items():
                self._add(length, count)
        return self

    def merge(self, other: LengthHistogram) -> LengthHistogram:
        """Take over what another histogram (of another worker) counted; returns itself."""
        if other.axes != self.axes:
            raise BatchingError(f"Cannot merge {other.axes} axes into {self.axes}")
        while self.quantum < other.quantum:
            self._coarsen()
        self._counts.update(other._counts)
        self._fold(other.maxima, other.sums, other.total)
        return self

    def items(self) -> list[tuple[Lengths, int]]:
        """Every bin's longest possible lengths with its count, in order."""
        merged: Counter[Lengths] = Counter()
        for cell, count in self._counts.items():
            merged[tuple(map(min, cell, self.maxima))] += count
        return sorted(merged.items())

    def __len__(self) -> int:
        return len(self._counts)

    def __iter__(self) -> Iterator[tuple[Lengths, int]]:
        return iter(self.items())

    def _checked(self, length: object) -> Lengths:
        values = length if isinstance(length, tuple | list) else (length,)
        if len(values) != self.axes:
            raise BatchingError(f"Expected {self.axes} lengths per example, got {length!r}")
        return tuple(map(_whole_length, values))

    def _add(self, length: Lengths, count: int) -> None:
        self._counts[self._cell(length)] += count
        self._fold(length, tuple(value * count for value in length), count)

    def _fold(self, maxima: Lengths, sums: Lengths, total: int) -> None:
        self.maxima = tuple(map(max, self.maxima, maxima))
        self.sums = tuple(map(operator.add, self.sums, sums))
        self.total += total
        while len(self._counts) > self.max_bins:
            self._coarsen()

    def _cell(self, length: Lengths) -> Lengths:
        return tuple(-(-value // self.quantum) * self.quantum for value in length)

    def _coarsen(self) -> None:
        self.quantum *= 2
        before, self._counts = self._counts, Counter()
        for cell, count in before.items():
            self._counts[self._cell(cell)] += count


def _whole_length(value: object) -> int:
    try:
        length = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise BatchingError(f"A length must be a whole number, got {value!r}") from None
    if length < 1:
        raise BatchingError(f"A length must be at least 1, got {length}: leave out empty examples")
    return length


def as_histogram(lengths: LengthHistogram | Iterable[object], max_bins: int) -> LengthHistogram:
    """The histogram itself, or one counted from a list or stream of lengths or tuples of them."""
    if not isinstance(lengths, LengthHistogram):
        lengths = _count(iter(lengths), max_bins)
    if lengths.total == 0:
        raise BatchingError("There are no lengths: expected at least one example")
    return lengths


def _count(stream: Iterator[object], max_bins: int) -> LengthHistogram:
    first = next(stream, None)
    if first is None:
        return LengthHistogram()
    if hasattr(first, "tolist"):  # a row of a numpy array
        first, stream = first.tolist(), (row.tolist() for row in stream)  # type: ignore[attr-defined]
    axes = len(first) if isinstance(first, tuple | list) else 1
    histogram = LengthHistogram(axes, max_bins)
    histogram.add(first)
    return histogram.update(stream)
