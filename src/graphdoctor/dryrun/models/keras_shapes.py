"""Keras: the shape of what a layer gives."""

from __future__ import annotations

from graphdoctor.dryrun.dtypes import shape_of
from graphdoctor.dryrun.values import Known, LibraryObject, Scalar, Sequence, Shape, Value, is_none

SAME_SHAPE = (
    "Dropout", "Activation", "ReLU", "LeakyReLU", "BatchNormalization", "LayerNormalization", "Softmax",
    "GaussianNoise", "PReLU", "ELU", "SpatialDropout1D", "UnitNormalization", "GroupNormalization",
)  # fmt: skip


def output_shape(layer: LibraryObject, given: Value) -> Shape:
    """The shape that a layer gives for what it is given; None where nobody knows."""
    shape = shape_of(given)
    name = layer.name.rpartition(".")[2]
    if shape is None:
        return None
    if name == "Dense":
        units = layer.arguments.get(0) or layer.arguments.get("units")
        size = units.value if isinstance(units, Known) and isinstance(units.value, int) else None
        return (*shape[:-1], size) if size is not None and shape else None
    if name == "Embedding":
        units = layer.arguments.get(1) or layer.arguments.get("output_dim")
        size = units.value if isinstance(units, Known) and isinstance(units.value, int) else None
        return (*shape, size) if size is not None else None
    if name == "TextVectorization":
        return _words_of(layer, given, shape)
    return shape if name in SAME_SHAPE else None


def _words_of(layer: LibraryObject, given: Value, shape: Shape) -> Shape:
    """The numbers of the words of some texts: as many as the longest has, where nothing else is asked for."""
    arguments = layer.arguments
    if shape is None or len(shape) != 1 or any(isinstance(key, int) for key in arguments):
        return None
    if {"output_mode", "ragged", "split"} & set(arguments):
        return None
    length = arguments.get("output_sequence_length")
    if length is not None and not is_none(length):
        known = isinstance(length, Known) and isinstance(length.value, int)
        return (*shape, length.value) if known else None  # type: ignore[attr-defined]
    texts = given.members if isinstance(given, Sequence) else (given,)
    return (*shape, Scalar("int", frozenset().union(*(each.varies for each in texts))))
