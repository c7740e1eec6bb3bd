"""What two sides of a staged `if`, or two turns of a staged loop, must not leave different."""

from __future__ import annotations

import ast
import itertools

from graphdoctor.dryrun.context import Returned
from graphdoctor.dryrun.dtypes import FLOATS, dtype_of
from graphdoctor.dryrun.joining import MISSING, python_type
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.values import (
    Choice,
    Dictionary,
    Known,
    Scalar,
    Sequence,
    Tensor,
    Unknown,
    Value,
    Variable,
)
from graphdoctor.recording.format import Conflict

UNCLEAR = (Unknown, Choice)


def compare(machine: Machine, construct: str, node: ast.AST, name: str, before: Value, after: Value) -> bool:
    """Write down why a name cannot go through a staged branch or loop; False when it can, or nobody knows."""
    kind = conflict_of(before, after, construct)
    if not kind:
        return False
    conflict = Conflict(
        kind=kind, name=name, before=machine.log.describe(before), after=machine.log.describe(after)
    )
    machine.log.staging(construct, "refused", node, reason=kind, conflict=conflict)
    return True


def conflict_of(before: Value, after: Value, construct: str) -> str:
    """none · dtype · structure · shape, or empty."""
    if before is MISSING or after is MISSING or isinstance(before, UNCLEAR) or isinstance(after, UNCLEAR):
        return ""
    if _is_none(before) != _is_none(after):
        other = after if _is_none(before) else before
        return (
            "none"
            if isinstance(other, Tensor | Variable | Sequence | Dictionary) or python_type(other)
            else ""
        )
    if _structure(before) != _structure(after):
        return "structure"
    if isinstance(before, Sequence) and isinstance(after, Sequence):
        pairs = zip(before.items or (), after.items or (), strict=False)
        return next((found for a, b in pairs if (found := conflict_of(a, b, construct))), "")
    if _dtypes_conflict(before, after):
        return "dtype"
    return "shape" if construct in ("for", "while") and _shape_changes(before, after) else ""


def _is_none(value: Value) -> bool:
    return isinstance(value, Known) and value.value is None


def _structure(value: Value) -> object:
    """A list's or tuple's length, a dict's keys; the same for all else."""
    if isinstance(value, Sequence) and value.kind in ("list", "tuple") and value.items is not None:
        return (value.kind, len(value.items))
    if isinstance(value, Dictionary) and value.complete:
        return frozenset(map(str, value.entries))
    if isinstance(value, Sequence | Dictionary):
        return None
    return "one"


def _dtypes_conflict(before: Value, after: Value) -> bool:
    first, second = dtype_of(before), dtype_of(after)
    if first is None or second is None or first == second:
        return False
    python = [bool(python_type(value)) for value in (before, after)]
    if all(python) or not any(python):
        return True
    # A Python number beside a tensor of the same family takes its dtype.
    return (first in FLOATS) != (second in FLOATS) or "bool" in (first, second) or "string" in (first, second)


def _shape_changes(before: Value, after: Value) -> bool:
    if not isinstance(before, Tensor) or not isinstance(after, Tensor):
        return False
    if before.shape is None or after.shape is None:
        return False
    if len(before.shape) != len(after.shape):
        return True
    pairs = zip(before.shape, after.shape, strict=True)
    return any(
        isinstance(a, int) and (b is None or (isinstance(b, int) and a != b) or _grown(b)) for a, b in pairs
    )


def _grown(size: object) -> bool:
    return isinstance(size, Scalar) and bool(size.varies)


def returned_differently(machine: Machine, node: ast.AST, returns: list[Returned]) -> None:
    """Write down that two ways through a function return what one graph cannot: a tensor or nothing…"""
    for first, second in itertools.pairwise(returns):
        kind = conflict_of(first.value, second.value, "if")
        if kind:
            conflict = Conflict(
                kind="return" if kind == "none" else kind,
                name="return",
                before=machine.log.describe(first.value),
                after=machine.log.describe(second.value),
                place=machine.log.place(second.node),
            )
            machine.log.staging("if", "refused", first.node, reason=conflict.kind, conflict=conflict)
            return
