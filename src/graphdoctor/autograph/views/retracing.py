"""What would make a function trace again, asked of TensorFlow's own cache, and what would not."""

import inspect
from collections.abc import Iterator
from typing import Any

from graphdoctor.autograph import tensorflow_internals as internals
from graphdoctor.autograph.eager_comparison.state import CONTAINERS, PythonState
from graphdoctor.autograph.traces.tracing import Traced
from graphdoctor.autograph.values import look_at, spec_text


def render_retracing(traced: Traced) -> str:
    """One line for each way to change an argument, then what is captured and never looked at again."""
    lines = [f"{traced.function.__qualname__} has been traced once. Would a call trace again, if"]
    if traced.concrete is None:
        return f"{traced.function.__qualname__}: the trace failed, so there is nothing in the cache\n"
    rows = [(text, _verdict(traced, name, value)) for name, text, value in variants(traced)]
    width = max((len(text) for text, _ in rows), default=0)
    lines += [f"  {text:<{width}}  {verdict}" for text, verdict in rows] or ["  (it takes no argument)"]
    stale = list(captured_values(traced))
    if stale:
        lines += ["", "It read these while tracing. Changing them does not trace again, and is not seen:"]
        lines += [f"  {name} = {value}" for name, value in stale]
    return "\n".join(lines) + "\n"


def variants(traced: Traced) -> Iterator[tuple[str, str, Any]]:
    """Each argument changed in each way that might matter: its name, the change in words, the value."""
    for name, value in traced.arguments.items():
        yield from ((name, f"{name} {text}", changed) for text, changed in _changes(value))


def _changes(value: Any) -> Iterator[tuple[str, Any]]:
    import numpy as np
    import tensorflow as tf

    if isinstance(value, (tf.TensorSpec, np.ndarray, np.generic)) or tf.is_tensor(value):
        yield from _tensor_changes(value)
    elif isinstance(value, bool):
        yield f"is {not value}, not {value}", not value
        yield f"is {int(value)}, not {value}", int(value)
    elif isinstance(value, (int, float)):
        yield f"is {value + 1!r}, not {value!r}", value + 1
        other = float(value) if isinstance(value, int) else int(value)
        if other == value:
            yield f"is {other!r}, not {value!r}", other
        yield (
            f"is tf.constant({value!r}), not {value!r}",
            tf.TensorSpec([], tf.convert_to_tensor(value).dtype),
        )
    elif isinstance(value, str):
        yield "is another text", value + "'"
    elif value is None:
        yield "is a tensor, not None", tf.TensorSpec([], tf.float32)
    elif isinstance(value, (list, tuple)) and value:
        yield "has one element more", type(value)([*value, value[-1]])
    elif isinstance(value, dict) and value:
        yield "has one key more", {**value, "another": next(iter(value.values()))}


def _tensor_changes(value: Any) -> Iterator[tuple[str, Any]]:
    import tensorflow as tf

    dtype, shape = tf.dtypes.as_dtype(value.dtype), tf.TensorShape(value.shape)
    if not isinstance(value, tf.TensorSpec):
        yield f"is another {spec_text(value)}", tf.TensorSpec(shape, dtype)
    if shape.rank is not None:
        for axis, size in enumerate(shape):
            changed = [*shape[:axis], 3 if size is None else size + 1, *shape[axis + 1 :]]
            fixed = f"{size + 1}, not {size}" if size is not None else "3, and then 4"
            yield f"axis {axis} has size {fixed}", tf.TensorSpec(changed, dtype)
        yield "has one axis more", tf.TensorSpec([*shape, 1], dtype)
    other = tf.float64 if dtype != tf.float64 else tf.float32
    yield f"is {other.name}, not {dtype.name}", tf.TensorSpec(shape, other)


def _verdict(traced: Traced, name: str, value: Any) -> str:
    arguments = {**traced.arguments, name: value}
    signature = inspect.signature(traced.function)
    bound = inspect.BoundArguments(signature, arguments)
    try:
        if traced.graph_function.input_signature is not None:
            return _against_signature(traced, name, value)
        key = internals.key_of_call(traced.graph_function, bound.args, bound.kwargs)
    except (TypeError, ValueError) as error:
        return f"refused: {type(error).__name__}"
    return "no" if internals.would_hit(traced.graph_function, key) else "YES"


def _against_signature(traced: Traced, name: str, value: Any) -> str:
    """With an input signature TensorFlow never traces again; it refuses what does not fit."""
    position = list(inspect.signature(traced.function).parameters).index(name)
    expected = traced.graph_function.input_signature[position]
    return "no" if expected.is_compatible_with(value) else "refused: TypeError"


def captured_values(traced: Traced) -> Iterator[tuple[str, str]]:
    """Python values from outside that the function names: globals, closure, attributes of self."""
    for name, value in PythonState(traced.function).values.items():
        text = look_at(value).text
        yield name, f"{text} of {len(value)}" if isinstance(value, CONTAINERS) else text
