"""Recursion: whether a function calls itself with the like of what it was called with, and so for ever."""

from __future__ import annotations

from collections.abc import Mapping

from graphdoctor.dryrun.joining import python_type, same
from graphdoctor.dryrun.values import (
    Dictionary,
    Instance,
    Numeric,
    Scalar,
    Sequence,
    Shape,
    Unknown,
    Value,
)

DEEPEST = 3


def goes_on_alike(before: Mapping[str, Value], now: Mapping[str, Value]) -> bool:
    """Whether a call within a call of the same function is given nothing that would make it another one."""
    return all(name in before and _alike(before[name], value, 0) for name, value in now.items())


def _alike(one: Value, other: Value, depth: int) -> bool:
    if one is other or same(one, other):
        return True
    if type(one) is not type(other):
        return isinstance(one, Scalar) and isinstance(other, Scalar) and one.type == other.type
    if isinstance(one, Unknown):
        return True
    if depth > DEEPEST:
        return False
    if isinstance(one, Scalar):
        return python_type(one) == python_type(other)
    if isinstance(one, Numeric) and isinstance(other, Numeric):
        return one.dtype == other.dtype and _alike_shapes(one.shape, other.shape)
    if isinstance(one, Sequence) and isinstance(other, Sequence):
        return one.kind == other.kind and _alike_items(one, other, depth)
    if isinstance(one, Dictionary) and isinstance(other, Dictionary):
        return _alike_cells(one.cells, other.cells, depth)
    if isinstance(one, Instance) and isinstance(other, Instance):
        return one.cls is other.cls and _alike_cells(one.cells, other.cells, depth)
    return False


def _alike_shapes(one: Shape, other: Shape) -> bool:
    if one is None or other is None:
        return one is other
    return len(one) == len(other) and all(
        a == b or (isinstance(a, Scalar) and isinstance(b, Scalar)) for a, b in zip(one, other, strict=True)
    )


def _alike_items(one: Sequence, other: Sequence, depth: int) -> bool:
    first, second = one.items, other.items
    if first is None and second is None:
        a, b = one.cells["element"], other.cells["element"]
        return a is b or (a is not None and b is not None and _alike(a, b, depth + 1))
    if first is None or second is None or len(first) != len(second):
        return False
    return all(_alike(a, b, depth + 1) for a, b in zip(first, second, strict=True))


def _alike_cells(one: Mapping[object, Value], other: Mapping[object, Value], depth: int) -> bool:
    return one.keys() == other.keys() and all(
        a is other[key] or (isinstance(a, Value) and _alike(a, other[key], depth + 1))
        for key, a in one.items()
    )
