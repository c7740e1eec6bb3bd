"""What a batch is made of, and what a step gave back; without importing TensorFlow."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

LONGEST_VECTOR = 4096


def describe(batch: Any) -> list[dict[str, Any]]:
    """Every leaf of a batch: its path, and its dtype and shape or its Python type."""
    return [_leaf(path, value) for path, value in leaves(batch, "batch")]


def leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The leaves of nested dicts, lists and tuples with their paths."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from leaves(inner, f'{path}["{key}"]' if isinstance(key, str) else f"{path}[{key!r}]")
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        for name in value._fields:
            yield from leaves(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from leaves(inner, f"{path}[{index}]")
    else:
        yield path, value


def _leaf(path: str, value: Any) -> dict[str, Any]:
    replicas = getattr(value, "values", None)
    if isinstance(replicas, tuple) and replicas:  # a distributed value: look at its first replica
        value = replicas[0]
    if not hasattr(value, "shape") or not hasattr(value, "dtype"):
        return {"path": path, "type": type(value).__name__}
    shape = [None if size is None else int(size) for size in tuple(value.shape)]
    return {"path": path, "dtype": getattr(value.dtype, "name", str(value.dtype)), "shape": shape}


def vectors(batch: Any) -> dict[str, list[int]]:
    """The short vectors of whole numbers in a batch: they may be the lengths of its examples."""
    found = {}
    for path, value in leaves(batch, "batch"):
        kind = str(getattr(getattr(value, "dtype", None), "name", ""))
        shape = tuple(getattr(value, "shape", ()))
        if not kind.startswith(("int", "uint")) or len(shape) != 1 or not hasattr(value, "__array__"):
            continue
        if 0 < shape[0] <= LONGEST_VECTOR:
            found[path] = [int(number) for number in value.__array__()]
    return found


def wait_for(result: Any) -> None:
    """Return when the device has finished: an asynchronous step is over only when it is read."""
    for _, value in leaves(result, ""):
        if hasattr(value, "numpy"):
            value.numpy()


def is_finite(result: Any) -> bool:
    """Whether every number (not array) in a step's result is finite."""
    for _, value in leaves(result, ""):
        try:
            if not math.isfinite(float(value)):
                return False
        except (TypeError, ValueError):
            continue
    return True
