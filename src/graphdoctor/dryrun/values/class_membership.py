"""Of which class a value is: what `isinstance` answers, what `type(x)` equals, the members of an enum."""

import ast

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import (
    NOWHERE,
    UNKNOWN,
    AbstractNumber,
    Array,
    BoundMethod,
    Class,
    Constant,
    Descriptor,
    Dictionary,
    Function,
    GraphFunction,
    Identity,
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

NO_MEMBERS = (Function, GraphFunction, Descriptor)


def is_member(value: Value) -> bool:
    """Whether it is a member of an enum."""
    return isinstance(value, Instance) and value.cls.record == "enum"


def members_of(machine: Machine, cls: Class, node: ast.AST | None) -> tuple[Value, ...] | None:
    """The members of an enum in the order of the source; None of a class that is none."""
    if cls.record != "enum":
        return None
    names = [n for n, v in cls.cells.items() if n[0] != "_" and not isinstance(v, NO_MEMBERS)]
    found = tuple(machine.attribute(cls, name, node or cls.node) for name in names)
    return found if found and all(map(is_member, found)) else None


def member_named(machine: Machine, cls: Class, index: Value, node: ast.AST) -> Value:
    """`Mode["TRAIN"]`."""
    members = members_of(machine, cls, node) or ()
    names = {member.cells["name"].value: member for member in members if isinstance(member, Instance)}
    return names.get(index.value, UNKNOWN) if isinstance(index, Constant) else UNKNOWN


def as_key(value: Value) -> Value:
    """Objects that are always themselves, and tuples of known values, are keys like numbers and texts."""
    if isinstance(value, Sequence) and value.kind == "tuple" and value.items is not None and not value.fields:
        parts = [as_key(item) for item in value.items]
        if all(isinstance(part, Constant) for part in parts):
            return Constant(tuple(part.value for part in parts))  # type: ignore[attr-defined]
    if isinstance(value, Identity) and value.known:
        return Constant(value.of)
    return Constant(value) if is_member(value) or isinstance(value, Class) else value


def key_given(key: object) -> Value:
    """The key of a dict, as whoever goes through it gets it."""
    if isinstance(key, tuple):
        return Sequence("tuple", tuple(map(key_given, key)), NOWHERE)
    return key if isinstance(key, Value) else Constant(key)


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
