"""Members of an enum: in their order, and as keys of a dict, which classes are as well."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import (
    NOWHERE,
    UNKNOWN,
    Class,
    Constant,
    Descriptor,
    Function,
    GraphFunction,
    Identity,
    Instance,
    Sequence,
    Value,
)

NO_MEMBERS = (Function, GraphFunction, Descriptor)


def is_member(value: Value) -> bool:
    """Whether it is a member of an enum."""
    return isinstance(value, Instance) and value.cls.record == "enum"


def members_of(machine: Machine, cls: Class, node: ast.AST | None) -> tuple[Value, ...] | None:
    """The members of an enum in the order of the source; None of a class that is none."""
    from graphdoctor.dryrun.core.attributes import get_attribute

    if cls.record != "enum":
        return None
    names = [n for n, v in cls.cells.items() if n[0] != "_" and not isinstance(v, NO_MEMBERS)]
    found = tuple(get_attribute(machine, cls, name, node or cls.node) for name in names)
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
