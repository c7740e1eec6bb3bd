"""Looks at the program's objects without running any of its code: no property, no `__getattr__`."""

import enum
import opcode
import os
import sys
import types
from typing import Any

from graphdoctor.observer.objects.describe import short_repr

MISSING = object()
SUBSCRIPT = opcode.opmap.get("BINARY_SUBSCR", -1)  # Python 3.14 has none: only the names tell then
PLAIN = (bool, int, float, complex, str, bytes, type(None))
LONGEST_TUPLE = 8
LONGEST_TEXT = 1000


def attribute(value: Any, name: str) -> Any:
    """The attribute as it is stored in the object or its class; MISSING where reading it runs code."""
    in_class = _class_attribute(type(value), name)
    if isinstance(in_class, types.MemberDescriptorType):
        return _slot(in_class, value)
    if hasattr(type(in_class), "__set__"):
        return MISSING
    own = _own_attributes(value)
    if own is not None and name in own:
        return own[name]
    if isinstance(value, type):
        return _class_attribute(value, name)
    if in_class is MISSING and isinstance(value, dict) and _gives_items(type(value)):
        return item(value, name)
    return in_class


def _gives_items(kind: type) -> bool:
    """Whether the attributes of a dictionary are its items: `__getattr__ = dict.get`, or looks them up."""
    found = _class_attribute(kind, "__getattr__")
    if isinstance(found, types.FunctionType):
        return _looks_up(found.__code__)
    return found is dict.get or found is dict.__getitem__ or found is dict.__dict__["__getitem__"]


def _looks_up(code: types.CodeType) -> bool:
    """Whether code has `self[name]` in it, or names a method that gives the same."""
    return bool({"get", "__getitem__"} & set(code.co_names)) or SUBSCRIPT in code.co_code[::2]


def getter(value: Any, name: str) -> types.FunctionType | None:
    """The function that reading an attribute runs: a property's, or the `__getattr__` of the class."""
    in_class = _class_attribute(type(value), name)
    found = in_class.fget if isinstance(in_class, property) else None
    if in_class is MISSING and name not in (_own_attributes(value) or ()):
        found = _class_attribute(type(value), "__getattr__")
    return found if isinstance(found, types.FunctionType) else None


def _own_attributes(value: Any) -> dict[str, Any] | None:
    try:
        own = object.__getattribute__(value, "__dict__")
    except (AttributeError, TypeError):
        return None
    return own if isinstance(own, dict) else None


def _class_attribute(kind: type, name: str) -> Any:
    for base in kind.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return MISSING


def _slot(slot: types.MemberDescriptorType, value: Any) -> Any:
    try:
        return slot.__get__(value)
    except AttributeError:
        return MISSING


def unwrapped(value: Any) -> Any:
    """The dictionary itself, where TensorFlow keeps one in a wrapper that poses as a `dict`."""
    return value.__wrapped__ if type(value).__name__ == "_DictWrapper" else value


def item(value: Any, key: Any) -> Any:
    """An element of a dictionary, list or tuple."""
    value = unwrapped(value)
    try:
        if isinstance(value, dict):
            return dict.get(value, key, MISSING)
        if isinstance(value, list):
            return list.__getitem__(value, key)
        if isinstance(value, tuple):
            return tuple.__getitem__(value, key)
        if type(value) is type(os.environ):  # its own dictionary holds what the system does, in bytes
            return os.environ.get(key, MISSING) if value is os.environ else MISSING
    except (TypeError, IndexError):
        pass
    return MISSING


def is_plain(value: Any) -> bool:
    """Whether a value cannot change by itself and is small enough to remember."""
    kind = type(value)
    if kind in PLAIN:
        return kind not in (str, bytes) or len(value) <= LONGEST_TEXT
    if kind is tuple:
        return len(value) <= LONGEST_TUPLE and all(map(is_plain, value))
    return isinstance(value, enum.Enum) or _is_numpy_scalar(value)


def _is_numpy_scalar(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.generic)


class Member(str):
    """The name of an enum's member, kept in place of the member, which would keep its class alive."""


def remembered(value: Any) -> Any:
    """What to keep of a plain value in order to compare it later; holds nothing of the program alive."""
    return Member(f"{type(value).__name__}.{value.name}") if isinstance(value, enum.Enum) else value


def type_of(value: Any) -> str:
    """The name of a plain value's type; NumPy's numbers count as Python's."""
    if isinstance(value, Member):
        return "enum"
    return type(value.item() if _is_numpy_scalar(value) and hasattr(value, "item") else value).__name__


def text_of(value: Any) -> str:
    """A value as a person reads it in a report."""
    if value is MISSING:
        return "gone"
    if isinstance(value, enum.Enum | Member):
        return str.__str__(remembered(value))
    if is_plain(value):
        return short_repr(value.item() if _is_numpy_scalar(value) and hasattr(value, "item") else value)
    return f"a {type(value).__name__}"


def is_same(kept: Any, value: Any) -> bool:
    """Whether a value is still what was remembered; numbers that are equal are the same."""
    if kept is value:
        return True
    holds = getattr(kept, "holds", None)
    if holds is not None:
        return not is_plain(value) and bool(holds(value))
    if not is_plain(value):
        return False
    now = remembered(value)
    try:
        return bool(kept == now or (kept != kept and now != now))
    except Exception:
        return False
