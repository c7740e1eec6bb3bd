"""Two lengths together: good boxes for every number of buckets, by a stated heuristic.

No polynomial exact method is known to us: boxes may nest and overlap, and an example may fit into
several. So:

1. Lengths are merged to at most `GRID` values per axis (every value when there are fewer).
2. Start: the exact partition along each axis alone, each group boxed by its longest members, and
   the boxes of one bucket less plus the best further box.
3. Descent: replace any one box by the best of all boxes on the grid, until none improves.
4. Shrink every box to its members.

`benchmarks/batching.py` prints the gap to brute force over all sets of boxes on small problems.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

from graphdoctor.batching.errors import BatchingError
from graphdoctor.batching.histogram import Lengths
from graphdoctor.batching.line import partition_line
from graphdoctor.batching.plan import fits

GRID = 32
Work = Callable[..., float]
Boxes = tuple[Lengths, ...]


def partition_grid(items: Sequence[tuple[Lengths, int]], work: Work, most: int) -> list[tuple[float, Boxes]]:
    """Padded work and boxes, the least work first, for 1, 2, … `most` buckets."""
    problem = _Problem(_merge(items), work)
    plans: list[tuple[float, Boxes]] = []
    for count in range(1, most + 1):
        starts = problem.starts(count, plans[-1][1] if plans else ())
        best = min((problem.descend(start) for start in starts), key=lambda plan: plan[0])
        boxes = shrink(items, best[1], work)
        plans.append((assign(items, boxes, work)[0], boxes))
    return plans


def assign(
    items: Sequence[tuple[Lengths, int]], boxes: Boxes, work: Work
) -> tuple[float, list[int], list[Lengths]]:
    """Padded work, examples and longest members per box, when all take the cheapest that fits."""
    works = [work(*box) for box in boxes]
    counts = [0] * len(boxes)
    longest: list[Lengths] = [(0,) * len(boxes[0])] * len(boxes)
    total: float = 0
    for lengths, count in items:
        index = next(index for index, box in enumerate(boxes) if fits(lengths, box))
        counts[index] += count
        longest[index] = tuple(map(max, longest[index], lengths))
        total += works[index] * count
    return total, counts, longest


def shrink(items: Sequence[tuple[Lengths, int]], boxes: Boxes, work: Work) -> Boxes:
    """The boxes cut down to their members, empty ones left out, until nothing changes."""
    while True:
        ordered = tuple(sorted(set(boxes), key=lambda box: (work(*box), box)))
        _, counts, longest = assign(items, ordered, work)
        boxes = tuple(box for box, count in zip(longest, counts, strict=True) if count)
        if boxes == ordered:
            return boxes


class _Problem:
    """The merged lengths as arrays, with every box of the grid as a candidate."""

    def __init__(self, items: Sequence[tuple[Lengths, int]], work: Work) -> None:
        self.numpy = _numpy()
        self.items, self.work = items, work
        self.axes = [sorted({lengths[axis] for lengths, _ in items}) for axis in (0, 1)]
        self.boxes: list[Lengths] = [(text, mel) for text in self.axes[0] for mel in self.axes[1]]
        self.counts = self.numpy.array([count for _, count in items], float)  # [cells]
        cells = self.numpy.array([lengths for lengths, _ in items])  # [cells, 2]
        bounds = self.numpy.array(self.boxes)  # [boxes, 2]
        inside = (cells[None, :, :] <= bounds[:, None, :]).all(-1)  # [boxes, cells]
        works = self.numpy.array([work(*box) for box in self.boxes], float)  # [boxes]
        self.price = self.numpy.where(inside, works[:, None], self.numpy.inf)  # [boxes, cells]
        self.index = {box: index for index, box in enumerate(self.boxes)}

    def starts(self, count: int, fewer: Boxes) -> list[list[int]]:
        """Where the descent begins: one partition per axis, and one box more than before."""
        found = [self._partition_axis(axis, count) for axis in (0, 1)]
        if fewer:
            chosen = [self._on_grid(box) for box in fewer]
            found.append([*chosen, self._best_for(chosen)])
        return found

    def descend(self, chosen: list[int]) -> tuple[float, Boxes]:
        """Replace one box at a time by the best on the grid, until none improves."""
        cost, improved = self._cost(chosen), True
        while improved:
            improved = False
            for position in range(len(chosen)):
                others = chosen[:position] + chosen[position + 1 :]
                candidate = [*others, self._best_for(others)]
                if (lower := self._cost(candidate)) < cost:
                    chosen, cost, improved = candidate, lower, True
        return cost, tuple(self.boxes[index] for index in chosen)

    def _best_for(self, others: list[int]) -> int:
        cheapest = self._cheapest(others)  # [cells]
        totals = self.numpy.minimum(self.price, cheapest) @ self.counts  # [boxes]
        return int(totals.argmin())

    def _cost(self, chosen: list[int]) -> float:
        return float(self._cheapest(chosen) @ self.counts)

    def _cheapest(self, chosen: list[int]) -> Any:
        unreached = self.numpy.full(len(self.items), self.numpy.inf)  # [cells]
        return self.price[chosen].min(0, initial=self.numpy.inf) if chosen else unreached

    def _partition_axis(self, axis: int, count: int) -> list[int]:
        ends = self.axes[axis]
        members = [sum(c for lengths, c in self.items if lengths[axis] == end) for end in ends]
        cut = partition_line(members, ends, count)[-1][1]
        boxes, below = [], 0
        for end in (ends[index] for index in cut):
            group = [lengths for lengths, _ in self.items if below < lengths[axis] <= end]
            boxes.append(tuple(max(lengths[a] for lengths in group) for a in (0, 1)))
            below = end
        return [self.index[box] for box in boxes]

    def _on_grid(self, box: Lengths) -> int:
        rounded = tuple(self.axes[a][bisect_left(self.axes[a], box[a])] for a in (0, 1))
        return self.index[rounded]


def _merge(items: Sequence[tuple[Lengths, int]]) -> list[tuple[Lengths, int]]:
    """The same examples with at most `GRID` values per axis, each rounded up to a kept one."""
    kept = [_grid_values(items, axis) for axis in (0, 1)]
    merged: dict[Lengths, int] = {}
    for lengths, count in items:
        cell = tuple(kept[axis][bisect_left(kept[axis], lengths[axis])] for axis in (0, 1))
        merged[cell] = merged.get(cell, 0) + count
    return sorted(merged.items())


def _grid_values(items: Sequence[tuple[Lengths, int]], axis: int) -> list[int]:
    counts: dict[int, int] = {}
    for lengths, count in items:
        counts[lengths[axis]] = counts.get(lengths[axis], 0) + count
    values = sorted(counts)
    if len(values) <= GRID:
        return values
    # The exact one-axis partition loses least of all ways to keep GRID values.
    ends = partition_line([counts[value] for value in values], values, GRID)[-1][1]
    return [values[index] for index in ends]


def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        raise BatchingError(
            "Planning two lengths together needs numpy: install it, or plan one length"
        ) from None
    return numpy
