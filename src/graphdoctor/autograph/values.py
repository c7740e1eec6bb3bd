"""A Python object → what it is for the tracer, in a few words, keeping nothing of it."""

import dataclasses
import numbers
from typing import Any

from graphdoctor.observer.objects.describe import short_repr


@dataclasses.dataclass(frozen=True)
class Value:
    """kind: tensor · dataset · python (a number, text or array that the graph can hold) · object."""

    kind: str
    text: str

    @property
    def staged(self) -> bool:
        """Whether AutoGraph turns control flow on it into graph operations."""
        return self.kind in ("tensor", "dataset")


def look_at(value: Any) -> Value:
    """What a value is."""
    import numpy as np
    import tensorflow as tf

    if isinstance(value, (tf.data.Dataset, tf.data.Iterator)):
        return Value("dataset", "a tf.data dataset")
    if isinstance(value, tf.Variable):
        return Value("tensor", f"Variable {spec_text(value)}")
    if tf.is_tensor(value):
        return Value("tensor", spec_text(value))
    if isinstance(value, (bool, numbers.Number, str, bytes, np.generic)):
        return Value("python", short_repr(value))
    if isinstance(value, np.ndarray):
        return Value("python", f"array {value.dtype}{list(value.shape)}")
    return Value("object", type(value).__name__)


def spec_text(value: Any) -> str:
    """`float32[None, 80]`."""
    dtype = getattr(getattr(value, "dtype", None), "name", type(value).__name__)
    shape = getattr(value, "shape", None)
    if shape is None or getattr(shape, "rank", 0) is None:
        return f"{dtype} of unknown rank"
    return f"{dtype}[{', '.join(str(size) for size in shape)}]"
