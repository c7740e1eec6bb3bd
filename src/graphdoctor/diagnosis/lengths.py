"""Which axes of the batches vary in length, and how long the examples in them are."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from graphdoctor.diagnosis.measurements import Phase, Step

MOST_AXES = 2  # as many as can be planned together


class Axis(msgspec.Struct, frozen=True):
    """An axis of a tensor whose size changes from batch to batch: its size in every step."""

    path: str
    axis: int
    sizes: tuple[int, ...]
    vector: str | None = None  # the vector that holds the lengths of the examples along it

    def __str__(self) -> str:
        return f"`{self.path}` axis {self.axis}"


def varying_axes(phase: Phase) -> tuple[Axis, ...]:
    """At most two axes that vary, each under the name of the largest tensor that has it."""
    found: dict[tuple[int, ...], tuple[int, Axis]] = {}
    for axis, volume in _axes(phase.steps):
        known = found.get(axis.sizes)
        if len(set(axis.sizes)) > 1 and (known is None or volume > known[0]):
            found[axis.sizes] = volume, axis
    longest = sorted((axis for _, axis in found.values()), key=lambda axis: -sum(axis.sizes))
    return tuple(_with_vector(axis, phase.steps) for axis in longest[:MOST_AXES][::-1])


def example_lengths(phase: Phase, axes: tuple[Axis, ...]) -> list[tuple[int, ...]]:
    """The lengths of every example, where the batches hold them; otherwise none."""
    if not all(axis.vector for axis in axes):
        return []
    rows = []
    for step in phase.steps:
        columns = [step.vectors[axis.vector] for axis in axes if axis.vector]
        rows += list(zip(*columns, strict=False))
    return [row for row in rows if all(length > 0 for length in row)]  # zero: a row that fills a batch


def batch_lengths(axes: tuple[Axis, ...]) -> list[tuple[int, ...]]:
    """The padded lengths of every batch."""
    return list(zip(*(axis.sizes for axis in axes), strict=True))


def rows_of(phase: Phase) -> int:
    """The examples in a batch: the size that axis 0 has most often."""
    sizes = [shape[0] for step in phase.steps for _, shape in step.shapes if shape and shape[0]]
    return max(set(sizes), key=sizes.count, default=1)


def _axes(steps: tuple[Step, ...]) -> Iterator[tuple[Axis, int]]:
    """Every axis but the first of every tensor that all steps have with one rank, and its volume."""
    shapes = [dict(step.shapes) for step in steps]
    for path, first in shapes[0].items():
        if any(len(one.get(path, ())) != len(first) for one in shapes):
            continue
        volume = 1
        for size in first:
            volume *= size or 1
        for axis in range(1, len(first)):
            sizes = tuple(one[path][axis] or 0 for one in shapes)
            if all(sizes):
                yield Axis(path, axis, sizes), volume


def _with_vector(axis: Axis, steps: tuple[Step, ...]) -> Axis:
    """The axis with the vector whose largest number is its size in every single step."""
    for name in steps[0].vectors:
        longest = tuple(max(step.vectors.get(name, (0,))) for step in steps)
        if longest == axis.sizes:
            return msgspec.structs.replace(axis, vector=name)
    return axis
