"""Example arguments → a few words about each."""

from typing import Any

from graphdoctor.autograph.values import spec_text
from graphdoctor.observer.describe import short_repr

LONGEST_VALUE = 60


def describe_arguments(arguments: dict[str, Any]) -> tuple[str, ...]:
    """`x: float32[None, 80]`, `step: 3`."""
    return tuple(f"{name}: {_described(value)}" for name, value in arguments.items())


def _described(value: Any) -> str:
    import tensorflow as tf

    if tf.is_tensor(value) or isinstance(value, (tf.TypeSpec, tf.Variable)):
        return spec_text(value)
    if isinstance(value, dict):
        return _cut("{" + ", ".join(f"{key}: {_described(part)}" for key, part in value.items()) + "}")
    if isinstance(value, (list, tuple)):
        return _cut("[" + ", ".join(_described(part) for part in value) + "]")
    text = short_repr(value)
    return text if len(text) <= LONGEST_VALUE else type(value).__name__


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"
