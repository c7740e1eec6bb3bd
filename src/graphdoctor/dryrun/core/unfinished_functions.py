"""A function whose body was cut short because the budget ended: what it would have defined later."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator

from graphdoctor.dryrun.control.flow import OutOfBudget, Raised
from graphdoctor.dryrun.core.context import Activation, Scope
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import Function, Value

STEPS = 500
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*DEFINITIONS, ast.Lambda, ast.ClassDef)


def define_rest(machine: Machine, function: Function, values: dict[str, Value]) -> None:
    """Define the functions that a body did not come to, so that each can be an entry of its own.

    Names that the body would have set before are unknown there.
    """
    if function.module is not machine.program.root or machine.graph is not None:
        return
    waiting = [node for node in _inner(function.node) if node not in machine.program.functions]
    if not waiting:
        return
    scope = Scope(function.scope, function.module, "function", None)
    scope.cells.update(values)
    limit, machine.limit = machine.limit, machine.steps + STEPS
    machine.activations.append(Activation(function, scope, function.module, len(machine.loops)))
    try:
        for node in waiting:
            with contextlib.suppress(OutOfBudget, Raised):
                machine.execute([node])
    finally:
        machine.activations.pop()
        machine.limit = limit


def _inner(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions that stand in the body itself, in their order."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, DEFINITIONS):
            yield child
        elif not isinstance(child, SCOPES):
            yield from _inner(child)
