"""Whether an `input_signature` fits the function that it is given for, and an argument the signature."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import (
    Array,
    BoundMethod,
    Constant,
    Function,
    GraphFunction,
    Partial,
    Sequence,
    Tensor,
    TensorSpec,
    Value,
    Variable,
)
from graphdoctor.recording.format import Conflict
from graphdoctor.recording.format import Value as Described

WHOLE = ("int", "uint")


def signature_conflict(machine: Machine, function: GraphFunction) -> Conflict | None:
    """Why TensorFlow refuses a graph function as it is made; None when it does not, or it is unknown."""
    signature = function.options.get("input_signature")
    if isinstance(signature, TensorSpec):
        return Conflict(kind="bare signature")
    given: Value = function.function
    taken = 0  # parameters that the caller does not give
    while isinstance(given, BoundMethod) or (isinstance(given, Partial) and not given.keywords):
        taken += 1 if isinstance(given, BoundMethod) else len(given.positional)
        given = given.function
    fixed = isinstance(signature, Sequence) and signature.kind in ("list", "tuple")
    if not isinstance(given, Function) or not isinstance(signature, Sequence) or not fixed:
        return None
    if signature.items is None:
        return None
    while isinstance(wrapped := given.cells.get("__wrapped__"), Function):
        given = wrapped  # TensorFlow asks `inspect.signature`, which looks through `functools.wraps`
    taken += machine.scope.kind == "class" and not _is_static(given)
    least, most = _parameters(given, taken)
    count = len(signature.items)
    if most is not None and count > most:
        return _lengths("long signature", most, count)
    return _lengths("short signature", least, count) if count < least else None


def misfit(spec: TensorSpec, value: Value) -> str:
    """dtype or shape, where TensorFlow refuses an argument; it casts arrays, and no tensors (run on 2.21)."""
    kept = isinstance(value, (Tensor, Variable)) and not getattr(value, "annotated", False)
    if isinstance(value, Tensor) and value.supposed:
        return ""
    if kept and value.dtype and spec.dtype and value.dtype != spec.dtype:  # type: ignore[attr-defined]
        return "dtype"
    if isinstance(value, Constant) and type(value.value) is float and (spec.dtype or "").startswith(WHOLE):
        return "dtype"
    given = value.shape if isinstance(value, (Tensor, Variable, Array)) else None
    if given is None or spec.shape is None:
        return ""
    pairs = zip(given, spec.shape, strict=False)
    differs = any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs)
    return "shape" if differs or len(given) != len(spec.shape) else ""


def _lengths(kind: str, wanted: int, given: int) -> Conflict:
    return Conflict(
        kind=kind, before=Described(kind="tuple", length=wanted), after=Described(kind="tuple", length=given)
    )


def _is_static(function: Function) -> bool:
    decorators = getattr(function.node, "decorator_list", [])
    return any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in decorators)


def _parameters(function: Function, taken: int) -> tuple[int, int | None]:
    """How many positional parameters a function needs, and how many it takes; None for `*args`."""
    arguments = function.node.args
    most = len([*arguments.posonlyargs, *arguments.args]) - taken
    return most - len(arguments.defaults), None if arguments.vararg else most + len(arguments.kwonlyargs)
