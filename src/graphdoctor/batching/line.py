"""One length: the cheapest bounds for every number of buckets, exactly."""

from __future__ import annotations

from collections.abc import Sequence


def partition_line(counts: Sequence[int], works: Sequence[float], most: int) -> list[tuple[float, list[int]]]:
    """Padded work and last indices of the groups, for 1, 2, … `most` groups.

    `counts[i]` examples have the i-th length, whose padded work is `works[i]` (rising). With
    C the running count, the recurrence is

        best[k][j] = min over i of best[k-1][i] + (C[j] - C[i]) * works[j],

    a minimum over straight lines in `works[j]` with falling slopes -C[i]. Their lower envelope
    gives every row in linear time: O(lengths * buckets) where the textbook loop is quadratic.
    Whole numbers stay whole, so the result is exact.
    """
    running = [0]
    for count in counts:
        running.append(running[-1] + count)
    row: list[float] = [running[j + 1] * work for j, work in enumerate(works)]
    parents: list[list[int]] = []
    plans = [(row[-1], _groups(parents, len(works)))]
    for _ in range(2, min(most, len(works)) + 1):
        row, parent = _next_row(row, running, works)
        parents.append(parent)
        plans.append((row[-1], _groups(parents, len(works))))
    return plans


def _next_row(
    row: Sequence[float], running: Sequence[int], works: Sequence[float]
) -> tuple[list[float], list[int]]:
    """The row for one bucket more: entry j is the best for lengths 0…j, and where it was cut."""
    envelope: list[tuple[float, float, int]] = []  # slope, intercept, index of the cut
    at = 0
    best, parent = [float("inf")], [-1]
    for j in range(1, len(works)):
        if row[j - 1] != float("inf"):
            _add_line(envelope, (-running[j], row[j - 1], j - 1))
        if not envelope:
            best.append(float("inf"))
            parent.append(-1)
            continue
        at = min(at, len(envelope) - 1)
        while at + 1 < len(envelope) and _at(envelope[at + 1], works[j]) <= _at(envelope[at], works[j]):
            at += 1
        best.append(_at(envelope[at], works[j]) + running[j + 1] * works[j])
        parent.append(envelope[at][2])
    return best, parent


def _add_line(envelope: list[tuple[float, float, int]], line: tuple[float, float, int]) -> None:
    """Append a line of a lesser slope, and remove those that it leaves nowhere lowest."""
    while len(envelope) >= 2 and _is_hidden(envelope[-2], envelope[-1], line):
        envelope.pop()
    envelope.append(line)


def _is_hidden(
    left: tuple[float, float, int],
    middle: tuple[float, float, int],
    right: tuple[float, float, int],
) -> bool:
    # Crossings compared by cross-multiplication: no division, hence no rounding of whole numbers.
    return (right[1] - left[1]) * (left[0] - middle[0]) <= (middle[1] - left[1]) * (left[0] - right[0])


def _at(line: tuple[float, float, int], position: float) -> float:
    return line[0] * position + line[1]


def _groups(parents: Sequence[Sequence[int]], lengths: int) -> list[int]:
    """The last index of every group, in rising order."""
    ends = [lengths - 1]
    for parent in reversed(parents):
        ends.append(parent[ends[-1]])
    return ends[::-1]
