"""In the running program: notes what each expression gives, beside the program."""

import enum
import itertools
import os
import pathlib
import threading
from typing import Any, TypeVar

import keras
import msgspec
import numpy as np
import tensorflow as tf

from inference_probe.descriptions import (
    SOME,
    AnyDescription,
    Constant,
    Elements,
    Entries,
    Numbers,
    NumberType,
    Pipeline,
    Size,
    Sizes,
    Thing,
    Writes,
)

VALUES = pathlib.Path(__file__).parents[1] / "values.jsonl"
MOST = 12  # different values of an expression
LONGEST = 40  # elements of a list
DEEPEST = 4
PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
KINDS = (
    ((tf.Variable, keras.Variable), "variable"),
    (tf.Tensor, "tensor"),
    (keras.KerasTensor, "placeholder"),
    ((np.ndarray, np.generic), "array"),
    (tf.TensorSpec, "spec"),
)
Given = TypeVar("Given")

seen: dict[str, set[bytes]] = {}
lock = threading.Lock()
file = os.open(VALUES, os.O_WRONLY | os.O_CREAT | os.O_APPEND)


@tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]
def note(place: str, value: Given) -> Given:
    """The value; what it is is written down, if it is new at this place."""
    known = seen.setdefault(place, set())
    if len(known) < MOST:
        described = msgspec.json.encode([place, described_safely(value)])
        with lock:
            if described not in known:
                known.add(described)
                os.write(file, described + b"\n")  # at once: how the program ends is unknown
    return value


def described_safely(value: Any) -> AnyDescription:
    """What is said of a value, also of one that cannot be asked: the program goes on all the same."""
    try:
        return describe(value)
    except Exception as error:
        return Thing((type(error).__name__,))


def describe(value: Any, depth: int = 0) -> AnyDescription:
    """What is said of a value."""
    if isinstance(value, PLAIN) and type(value) in PLAIN:
        return Constant(type(value).__name__, repr(value))
    for classes, kind in KINDS:
        if isinstance(value, classes):
            return Numbers(kind, name_of(value.dtype), sizes_of(value.shape))
    if isinstance(value, tf.TensorShape):
        return Sizes(sizes_of(value))
    if isinstance(value, (tf.DType, np.dtype)):
        return NumberType(name_of(value))
    if isinstance(value, tf.TensorArray):
        return Writes(name_of(value.dtype))
    if isinstance(value, tf.data.Dataset):
        return Pipeline(element_of(value.element_spec), iterations_of(value))
    if depth < DEEPEST and isinstance(value, (list, tuple, set, frozenset, range, dict)):
        return container(value, depth + 1)
    return Thing(tuple(each.__name__ for each in type(value).__mro__))


def container(value: Any, depth: int) -> AnyDescription:
    """A list, tuple, set, range or dict."""
    if isinstance(value, dict):
        some = itertools.islice(value.items(), LONGEST)
        entries = {key_text(key): describe(each, depth) for key, each in some}
        return Entries(entries, whole=len(value) <= LONGEST)
    if isinstance(value, (set, frozenset)):
        return Elements("set", None, len(value))
    kind = next(each.__name__ for each in (list, tuple, range) if isinstance(value, each))
    return Elements(kind, tuple(describe(each, depth) for each in value[:LONGEST]), len(value))


def element_of(spec: Any) -> AnyDescription:
    """What a pipeline with this `element_spec` gives."""
    if isinstance(spec, dict):
        return Entries({key_text(key): element_of(each) for key, each in spec.items()})
    if isinstance(spec, (tuple, list)):
        return Elements("tuple", tuple(map(element_of, spec)), len(spec))
    if isinstance(spec, tf.TensorSpec):
        return Numbers("tensor", name_of(spec.dtype), with_open(sizes_of(spec.shape)))
    if isinstance(spec, tf.data.DatasetSpec):
        return Pipeline(element_of(spec.element_spec), None)
    return Thing((type(spec).__name__.removesuffix("Spec"),))


def with_open(sizes: tuple[Size, ...] | None) -> tuple[Size, ...] | None:
    """The sizes of elements, whose `element_spec` may leave open what each of them has."""
    return None if sizes is None else tuple(SOME if size is None else size for size in sizes)


def iterations_of(dataset: tf.data.Dataset) -> int | None:
    """How many elements a pipeline gives, where TensorFlow knows it and there is an end."""
    cardinality = int(dataset.cardinality()) if tf.executing_eagerly() else -1
    return cardinality if cardinality >= 0 else None


def sizes_of(shape: Any) -> tuple[Size, ...] | None:
    """A shape's sizes; None: its rank is open."""
    if shape is None or getattr(shape, "rank", 0) is None:
        return None
    return tuple(None if size is None else int(size) for size in shape)


def name_of(dtype: Any) -> str:
    """A dtype's name; NumPy's texts of each length are `string`."""
    if getattr(dtype, "kind", "") in ("U", "S"):
        return "string"
    return str(getattr(dtype, "name", dtype))


def key_text(key: object) -> str:
    """A key as Python writes it, a member of an enumeration by its name."""
    return f"{type(key).__name__}.{key.name}" if isinstance(key, enum.Enum) else repr(key)
