"""Whose variables a model or layer holds."""

from __future__ import annotations

from typing import NamedTuple

from graphdoctor.dryrun.values import Dictionary, Instance, LibraryObject, Sequence, Value, Variable

DEEPEST = 6
WITH_STATISTICS = ("BatchNormalization", "SpectralNormalization", "Normalization", "SyncBatchNormalization")


class Holders(NamedTuple):
    """The numbers of the layers and variables inside an object, and whether some are never trained."""

    numbers: frozenset[int]
    untrainable: bool


def holders_of(value: Value, depth: int = 0) -> Holders:
    """All that holds variables inside an object."""
    if isinstance(value, Variable):
        return Holders(frozenset([value.origin.number]), value.trainable is False)
    if depth > DEEPEST:
        return Holders(frozenset(), False)
    inner: list[Value] = []
    numbers: frozenset[int] = frozenset()
    untrainable = False
    if isinstance(value, Instance | LibraryObject):
        numbers = frozenset([value.origin.number])
        inner = [each for each in value.cells.values() if isinstance(each, Value)]
        if isinstance(value, LibraryObject):
            inner += list(value.arguments.values())
            untrainable = value.name.rpartition(".")[2] in WITH_STATISTICS
    elif isinstance(value, Sequence):
        inner = list(value.items) if value.items is not None else [value.cells["element"]]
    elif isinstance(value, Dictionary):
        inner = list(value.cells.values())
    for each in inner:
        if isinstance(each, Instance | LibraryObject | Sequence | Dictionary | Variable):
            found = holders_of(each, depth + 1)
            numbers |= found.numbers
            untrainable = untrainable or found.untrainable
    return Holders(numbers, untrainable)
