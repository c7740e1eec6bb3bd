"""Structural equality: whether two values are equal in all that is known, so that one stands for both."""

from collections.abc import Mapping, Sequence
from typing import Any

from graphdoctor.dryrun.values import (
    AbstractNumber,
    BoundMethod,
    Cells,
    Dictionary,
    Instance,
    LibraryObject,
    Method,
    Numeric,
    Shape,
    Union,
    Unknown,
    Value,
)
from graphdoctor.dryrun.values import Sequence as Items
from graphdoctor.dryrun.values.joining import same

DEEPEST = 8
MOST_PARTS = 400
OTHER_NAMES = ("name",)  # what objects are called distinguishes them only for people
INTERCHANGEABLE = ("strategy",)  # objects of libraries that all do the same with what they are given


def recurses_unchanged(before: Mapping[str, Value], now: Mapping[str, Value]) -> bool:
    """Whether a call within a call of the same function is given nothing that would make it another one."""
    return all(name in before and Comparison().alike(before[name], value) for name, value in now.items())


class Equivalents:
    """The objects of an entry that one place has made alike, as a loop does: one of them stands for all.

    Once found alike they stay so: what is done with the one is not done with the others.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Value, Value]] = {}  # an object → itself, and the one that stands for it

    def without(self, several: Sequence[Value]) -> list[Value]:
        """Of these values those that no other one stands for."""
        kept: list[Value] = []
        for value in several:
            if not any(self._are_equivalent(each, value) for each in kept):
                kept.append(value)
        return kept

    def _are_equivalent(self, one: Value, other: Value) -> bool:
        if isinstance(one, BoundMethod) and isinstance(other, BoundMethod):
            return same(one.function, other.function) and self._are_equivalent(one.receiver, other.receiver)
        if isinstance(one, Method) and isinstance(other, Method):
            return one.name == other.name and self._are_equivalent(one.receiver, other.receiver)
        if isinstance(one, LibraryObject) and isinstance(other, LibraryObject):
            return one.kind == other.kind and one.kind in INTERCHANGEABLE
        if not isinstance(one, Instance) or not isinstance(other, Instance):
            return False
        known = self._known.get(id(other))
        if known is not None and known[1] is one:
            return True
        if one.origin.node is None or one.origin.node is not other.origin.node:
            return False
        found = Comparison().alike(one, other)
        if found:
            self._known[id(other)] = (other, one)
        return found


class Comparison:
    """One comparison, which goes through so many parts and no more."""

    def __init__(self) -> None:
        self._parts = 0

    def alike(self, one: Value, other: Value, depth: int = 0) -> bool:
        """Whether nothing that is known of the one is not known of the other."""
        self._parts += 1
        if one is other or same(one, other):
            return True
        if isinstance(one, AbstractNumber) and isinstance(other, AbstractNumber):
            return one.type == other.type
        if type(one) is not type(other) or depth > DEEPEST or self._parts > MOST_PARTS:
            return False
        if isinstance(one, Unknown):
            return True
        if isinstance(one, Numeric) and isinstance(other, Numeric):
            return one.dtype == other.dtype and _have_like_sizes(one.shape, other.shape)
        if isinstance(one, Items) and isinstance(other, Items):
            return one.kind == other.kind and self._have_like_items(one, other, depth)
        if isinstance(one, Union) and isinstance(other, Union):
            return self._are_like_rows(one.alternatives, other.alternatives, depth)
        if isinstance(one, Dictionary) and isinstance(other, Dictionary):
            return self._have_like_cells(one.cells, other.cells, depth)
        if isinstance(one, Instance) and isinstance(other, Instance):
            return one.cls is other.cls and self._have_like_cells(one.cells, other.cells, depth)
        if isinstance(one, LibraryObject) and isinstance(other, LibraryObject):
            return self._are_like_objects(one, other, depth)
        return False

    def _are_like_objects(self, one: LibraryObject, other: LibraryObject, depth: int) -> bool:
        return (
            (one.kind, one.name) == (other.kind, other.name)
            and self._have_like_cells(_unnamed(one.arguments), _unnamed(other.arguments), depth)
            and self._have_like_cells(one.cells, other.cells, depth)
        )

    def _have_like_items(self, one: Items, other: Items, depth: int) -> bool:
        first, second = one.items, other.items
        if first is None and second is None:
            a, b = one.cells["element"], other.cells["element"]
            return a is b or (a is not None and b is not None and self.alike(a, b, depth + 1))
        return first is not None and second is not None and self._are_like_rows(first, second, depth)

    def _are_like_rows(self, one: Sequence[Value], other: Sequence[Value], depth: int) -> bool:
        return len(one) == len(other) and all(
            self.alike(a, b, depth + 1) for a, b in zip(one, other, strict=True)
        )

    def _have_like_cells(self, one: Cells, other: Cells, depth: int) -> bool:
        return one.keys() == other.keys() and all(
            a is other[key] or self._have_like_parts(a, other[key], depth) for key, a in one.items()
        )

    def _have_like_parts(self, one: Any, other: Any, depth: int) -> bool:
        if isinstance(one, Value) and isinstance(other, Value):
            return self.alike(one, other, depth + 1)
        return not isinstance(one, Value) and not isinstance(other, Value) and bool(one == other)


def _unnamed(arguments: Mapping[Any, Value]) -> Cells:
    return {key: value for key, value in arguments.items() if key not in OTHER_NAMES}


def _have_like_sizes(one: Shape, other: Shape) -> bool:
    if one is None or other is None:
        return one is other
    return len(one) == len(other) and all(
        a == b or (isinstance(a, AbstractNumber) and isinstance(b, AbstractNumber))
        for a, b in zip(one, other, strict=True)
    )
