"""The key under which TensorFlow keeps a trace, as far as the dry run knows the arguments."""

from __future__ import annotations

from typing import Any

from graphdoctor.dryrun.values import (
    NOWHERE,
    Array,
    BoundMethod,
    Dictionary,
    Function,
    Instance,
    Known,
    Scalar,
    Sequence,
    Shape,
    Tensor,
    Unknown,
    Value,
    Variable,
)

DEEPEST = 5


def key_of(value: Value, depth: int = 0) -> Any:
    """Equal for two values that share a trace; Unknown shares with everything unknown."""
    if isinstance(value, Known):
        return ("value", value.value)  # 1, 1.0 and True are equal, as for TensorFlow
    if isinstance(value, Scalar):
        return ("scalar", value.type, value.linear if value.varies else 0)
    if isinstance(value, Tensor | Array):
        return ("tensor", value.dtype, _shape_key(value.shape))
    if isinstance(value, Variable):
        return ("variable", id(value))
    if isinstance(value, Sequence) and depth < DEEPEST and value.kind != "iterator":
        items = value.items
        if items is None:
            element = value.cells["element"]
            return (value.kind, None if element is None else key_of(element, depth + 1))
        return (value.kind, tuple(key_of(item, depth + 1) for item in items))
    if isinstance(value, Dictionary) and depth < DEEPEST:
        entries = sorted((str(key), key_of(item, depth + 1)) for key, item in value.cells.items())
        return ("dict", tuple(map(str, entries)))
    if isinstance(value, BoundMethod) and not isinstance(value.function, Function):
        return ("bound", id(value.receiver), key_of(value.function, depth + 1))
    if isinstance(value, Unknown):
        return ("unknown",)
    if isinstance(value, Instance) and _compares_by_value(value):
        return (
            "record",
            id(value.cls),
            value.origin.turns,  # an equal one of an earlier turn is gone, and its trace with it
            tuple(sorted((k, str(key_of(v, depth + 1))) for k, v in value.cells.items())),
        )
    origin = getattr(value, "origin", NOWHERE)
    return ("object", id(value) if origin is NOWHERE else origin.number)


def _compares_by_value(value: Instance) -> bool:
    return value.cls.record == "dataclass" and value.cls.frozen


def _shape_key(shape: Shape) -> Any:
    if shape is None:
        return None
    return tuple(
        (size.linear if size.varies else "?") if isinstance(size, Scalar) else size for size in shape
    )
