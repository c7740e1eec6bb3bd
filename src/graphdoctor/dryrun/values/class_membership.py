"""Of which class a value is: what `isinstance` answers, and what `type(x)` is equal to."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.values import (
    UNKNOWN,
    AbstractNumber,
    Array,
    BoundMethod,
    Class,
    Constant,
    Dictionary,
    Function,
    GraphFunction,
    Instance,
    KerasTensor,
    Library,
    Numeric,
    Sequence,
    StaticShape,
    Tensor,
    TypeOf,
    Unknown,
    Value,
)
from graphdoctor.dryrun.values.joining import python_type

# What is no object of a class of the project's.
NO_OBJECTS = (
    Constant,
    AbstractNumber,
    Numeric,
    Sequence,
    Dictionary,
    Function,
    GraphFunction,
    BoundMethod,
    Library,
)


def is_any_instance(value: Value, classes: Value) -> bool | None:
    """Whether it is an object of one of these classes; None if unknown."""
    wanted = list(classes.items or ()) if isinstance(classes, Sequence) else [classes]
    answers = [is_instance(value, each) for each in wanted]
    if True in answers:
        return True
    return False if answers and all(answer is False for answer in answers) else None


def is_instance(value: Value, cls: Value) -> bool | None:
    """Whether a value is of a class; None if unknown."""
    if isinstance(value, Unknown) or isinstance(cls, Unknown):
        return None
    if isinstance(value, Instance):
        if isinstance(cls, Class):
            return cls in value.cls.ancestry or (None if value.cls.is_open else False)
        if isinstance(cls, Library):
            known = any(name == cls.name for name in value.cls.libraries)
            return True if known else None if value.cls.libraries or value.cls.is_open else False
    if not isinstance(cls, Library):
        return False if isinstance(cls, Class) and isinstance(value, NO_OBJECTS) else None
    name = cls.name
    if isinstance(value, (StaticShape, KerasTensor)) and name in ("builtins.list", "builtins.dict"):
        return False
    if isinstance(value, Tensor):
        if value.supposed or value.answer:
            return None
        if name in ("tensorflow.Tensor", "tensorflow.types.experimental.TensorLike"):
            return True
        return None if name.startswith(("tensorflow.", "keras.")) else False
    if isinstance(value, Array):
        return name == "numpy.ndarray" if name.startswith(("numpy.nd", "builtins.", "tensorflow.")) else None
    kind = python_type(value)
    if kind or (isinstance(value, Constant) and value.value is None):
        return _is_python(kind, name)
    if isinstance(value, (Sequence, Dictionary)) and name.startswith(("tensorflow.", "keras.", "numpy.")):
        return False
    if isinstance(value, Sequence):
        return name == f"builtins.{value.kind}" if name.startswith("builtins.") else None
    if isinstance(value, Dictionary):
        return name in ("builtins.dict",) if name.startswith("builtins.") else None
    return None


def _is_python(kind: str, name: str) -> bool | None:
    if name.startswith(("tensorflow.", "numpy.", "keras.")):
        return False
    if not name.startswith("builtins."):
        return None
    wanted = name.removeprefix("builtins.")
    return kind == wanted or (kind == "bool" and wanted == "int") or (None if kind == "number" else False)


def compared_type(op: ast.cmpop, left: Value, right: Value) -> Value:
    """`type(x) == list`, `type(x) in (list, tuple)`: known where it is none of them."""
    kind, other = (left, right) if isinstance(left, TypeOf) else (right, left)
    among = isinstance(op, (ast.In, ast.NotIn))
    if among and (kind is right or not isinstance(other, Sequence) or not other.items):
        return UNKNOWN
    wanted = other.items if among and isinstance(other, Sequence) else (other,)
    assert isinstance(kind, TypeOf)
    none = all(is_instance(kind.of, each) is False for each in wanted or ())
    return Constant(isinstance(op, (ast.NotEq, ast.IsNot, ast.NotIn))) if none else UNKNOWN
