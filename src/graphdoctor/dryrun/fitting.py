"""Whether an `input_signature` fits the function that it is given for."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.values import (
    BoundMethod,
    Function,
    GraphFunction,
    Partial,
    Sequence,
    TensorSpec,
    Value,
)
from graphdoctor.recording.format import Conflict
from graphdoctor.recording.format import Value as Described


def signature_conflict(machine: Machine, function: GraphFunction) -> Conflict | None:
    """Why TensorFlow refuses a graph function as it is made; None when it does not, or nobody knows."""
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
