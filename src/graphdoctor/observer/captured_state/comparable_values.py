"""What to keep of a value that is not plain in order to see later that another one stands in its place."""

import dataclasses
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.objects import peek
from graphdoctor.observer.objects.describe import short_repr
from graphdoctor.recording.format import Value

MOST_ELEMENTS = 32
MOST_BYTES = 1024
# What nobody rebinds to change what a function computes.
STEADY = (types.ModuleType, type, types.BuiltinFunctionType, property, staticmethod, classmethod)


@dataclasses.dataclass(frozen=True, eq=False)
class Kept:
    """A value by identity, and by content where that is small; keeps nothing of the program alive."""

    identity: int
    reference: Callable[[], Any] | None
    content: object
    value: Value

    def holds(self, value: Any) -> bool:
        """Whether a value is still this one, or as good as it."""
        same = id(value) == self.identity and (self.reference is None or self.reference() is value)
        if same and self.content is None:
            return True
        now = content_of(value)
        return same if now is None or self.content is None else now == self.content


def can_be_kept(value: Any, *, own: bool) -> bool:
    """Whether a value is worth watching; `own`: it is an object's attribute, or a closure's."""
    if isinstance(value, STEADY) or value is peek.MISSING:
        return False
    if internals.tensor_fields(value) is not None:
        return not internals.is_symbolic(value)
    if type(value) in (list, dict, set):
        return content_of(value) is not None
    return own and not isinstance(value, list | dict | set | tuple) and hasattr(type(value), "__dict__")


def keep(value: Any) -> Kept:
    """What to remember of a value."""
    try:
        reference: Callable[[], Any] | None = weakref.ref(value)
    except TypeError:
        reference = None
    return Kept(id(value), reference, content_of(value), value_of(value))


def content_of(value: Any) -> object:
    """What a small value holds, as something that can be compared; None where it is not cheap to know."""
    kind = type(value)
    if kind is list or kind is set:
        return _plain(value)
    if kind is dict:
        return _plain([part for pair in value.items() for part in pair])
    if isinstance(value, types.FunctionType):
        return value.__code__ if value.__closure__ is None else None
    numpy = sys.modules.get("numpy")
    if numpy is not None and kind is numpy.ndarray:
        small = value.nbytes <= MOST_BYTES and value.dtype.kind in "biufc"
        return (str(value.dtype), value.shape, value.tobytes()) if small else None
    if internals.tensor_fields(value) is not None:
        return internals.small_content(value, MOST_BYTES)
    own = getattr(value, "__dict__", None) if kind.__module__ not in ("tensorflow", "keras") else None
    held = _plain([part for pair in own.items() for part in pair]) if type(own) is dict and own else None
    return (kind.__qualname__, held) if held is not None else None


def _plain(values: Any) -> object:
    kept = list(values)
    if len(kept) > MOST_ELEMENTS or not all(map(peek.is_plain, kept)):
        return None
    return tuple(map(peek.remembered, kept))


def value_of(value: Any) -> Value:
    """What a recording says of a value that is not plain."""
    fields = internals.tensor_fields(value)
    if fields is None:
        return Value(kind="value", type=type(value).__name__, text=text_of(value))
    shape = None if fields[2] is None else tuple(fields[2])
    return Value(kind=fields[0], dtype=fields[1], shape=shape, text=text_of(value))


def text_of(value: Any) -> str:
    """A value as a person reads it in a report."""
    fields = internals.tensor_fields(value)
    if fields is not None:
        shape = "of unknown rank" if fields[2] is None else str(list(fields[2]))
        return f"{_article(fields[0])} {fields[0]} {fields[1]} {shape}"
    if type(value) in (list, dict, set):
        return short_repr(value)
    if isinstance(value, types.FunctionType | types.MethodType):
        return value.__qualname__
    name = type(value).__name__
    return f"{_article(name)} {name}"


def _article(word: str) -> str:
    return "an" if word[:1].lower() in "aeiou" else "a"
