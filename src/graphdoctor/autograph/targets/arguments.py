"""Example arguments → a few words about each."""

from typing import Any

from graphdoctor.autograph.values import spec_text
from graphdoctor.model.words import shortened
from graphdoctor.observer.objects.describe import short_repr

LONGEST_VALUE = 60


def describe_arguments(arguments: dict[str, Any]) -> tuple[str, ...]:
    """`x: float32[None, 80]`, `step: 3`."""
    return tuple(f"{name}: {_described(value)}" for name, value in arguments.items())


def _described(value: Any) -> str:
    import tensorflow as tf

    if tf.is_tensor(value) or isinstance(value, (tf.TypeSpec, tf.Variable)):
        return spec_text(value)
    if isinstance(value, dict):
        return shortened(
            "{" + ", ".join(f"{key}: {_described(part)}" for key, part in value.items()) + "}", LONGEST_VALUE
        )
    if isinstance(value, (list, tuple)):
        return shortened("[" + ", ".join(_described(part) for part in value) + "]", LONGEST_VALUE)
    text = short_repr(value)
    return text if len(text) <= LONGEST_VALUE else type(value).__name__
