"""Which Python numbers a TensorFlow loop had made tensors of, when a line in it failed."""

import types
from collections.abc import Iterable, Iterator
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.objects import peek
from graphdoctor.recording.format import Argument


def carried_numbers(frames: Iterable[types.FrameType], values: dict[str, Any]) -> tuple[Argument, ...]:
    """The numbers as they were before the loop, by their names there, each with the dtype it has now.

    Args:
        frames: what an exception went through; TensorFlow's own frames tell of the loops.
        values: what the innermost line of the user's works on. In what a loop calls it has other names.
    """
    found: dict[str, Argument] = {}
    for name, start, iteration in _loop_variables(frames):
        if type(start) not in (int, float):
            continue
        now = [value for path, value in values.items() if value is iteration or path == name]
        tensor = internals.tensor_fields(now[0]) if now else None
        if tensor is not None:
            kind, text = type(start).__name__, peek.text_of(start)
            found[name] = Argument(path=name, kind="value", type=kind, text=text, dtype=tensor[1])
    return tuple(found.values())


def _loop_variables(frames: Iterable[types.FrameType]) -> Iterator[tuple[str, Any, Any]]:
    """The names that loops carry, each with its value before the loop and in the traced iteration."""
    before: dict[str, Any] = {}
    for frame in frames:
        loop = internals.staged_loop(frame)
        before = loop or before
        for (name, start), iteration in zip(before.items(), internals.staged_iteration(frame), strict=False):
            yield name, start, iteration
