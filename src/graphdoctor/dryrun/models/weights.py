"""Whose variables a model or layer holds."""

from __future__ import annotations

from typing import NamedTuple

from graphdoctor.dryrun.values import Dictionary, Instance, Known, LibraryObject, Sequence, Value, Variable

DEEPEST = 6
HOLDING = ("layer", "model")
WITH_STATISTICS = ("BatchNormalization", "SpectralNormalization", "Normalization", "SyncBatchNormalization")


# Ready-made models without a batch normalisation.
ALL_TRAINED = ("VGG16", "VGG19", "ConvNeXtTiny", "ConvNeXtSmall", "ConvNeXtBase", "ConvNeXtLarge",
               "ConvNeXtXLarge")  # fmt: skip


def _is_untrained(value: LibraryObject) -> bool:
    """Whether a layer or model of Keras' has variables that are not trained."""
    name = value.name.rpartition(".")[2]
    ready = value.name.startswith("keras.applications.") and name not in ALL_TRAINED
    given = value.cells.get("trainable", value.arguments.get("trainable"))
    frozen = isinstance(given, Known) and given.value is False
    return name in WITH_STATISTICS or ready or frozen


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
    if isinstance(value, LibraryObject) and value.kind not in HOLDING:
        return Holders(numbers, False)
    if isinstance(value, (Instance, LibraryObject)):
        numbers = frozenset([value.origin.number])
        inner = [each for each in value.cells.values() if isinstance(each, Value)]
        if isinstance(value, LibraryObject):
            inner += list(value.arguments.values())
            untrainable = _is_untrained(value)
    elif isinstance(value, Sequence):
        inner = list(value.items) if value.items is not None else [value.cells["element"]]
    elif isinstance(value, Dictionary):
        inner = list(value.cells.values())
    for each in inner:
        if isinstance(each, (Instance, LibraryObject, Sequence, Dictionary, Variable)):
            found = holders_of(each, depth + 1)
            numbers |= found.numbers
            untrainable = untrainable or found.untrainable
    return Holders(numbers, untrainable)
