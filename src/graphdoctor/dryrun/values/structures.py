"""Structures of values: lists, tuples and dicts, gone through and made again part by part."""

import operator
from collections.abc import Callable
from typing import Final

from graphdoctor.dryrun.values import Dictionary, Origin, Sequence, Value

DEEPEST: Final = 4
KINDS: Final = ("tuple", "list", "set", "range", "iterator", "view", "dict")


def parts_of(value: object) -> list[Value]:
    """What is directly in a list, tuple or dict: its elements, or the typical one."""
    if isinstance(value, Sequence):
        return list(value.members)
    held = value.cells.values() if isinstance(value, Dictionary) else ()
    return [each for each in held if isinstance(each, Value)]


def rebuilt(
    value: Value,
    part: Callable[[Value], Value],
    origin: Origin | None = None,
    kinds: tuple[str, ...] = KINDS,
    depth: int = DEEPEST,
) -> Value:
    """A structure with another value for each of its parts; made here, where there is an `origin`.

    What is of no such kind counts as a part, and so does a list of which only a typical element is known.
    """
    if isinstance(value, Sequence) and value.items is not None and value.kind in kinds and depth:
        items = tuple([rebuilt(item, part, origin, kinds, depth - 1) for item in value.items])
        if origin is None and value.kind == "tuple" and all(map(operator.is_, items, value.items)):
            return value
        return Sequence(value.kind, items, origin or value.origin, fields=value.fields)
    if isinstance(value, Dictionary) and "dict" in kinds and depth:
        cells = {key: rebuilt(item, part, origin, kinds, depth - 1) for key, item in value.cells.items()}
        return value.like(cells, origin)
    return part(value)
