"""Graph functions in branches that no run of the program was seen to take."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator

from graphdoctor.dryrun.control.flow import OutOfBudget, Raised
from graphdoctor.dryrun.core.context import Activation, Scope, SourceModule
from graphdoctor.dryrun.core.definitions import underlying
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import Function, Value
from graphdoctor.source.nodes import walk

MAKING = "function"


def untaken(machine: Machine, module: SourceModule) -> Iterator[tuple[Function, ast.stmt]]:
    """The statements of functions that were called which would make a graph function, and never ran."""
    made = {node for each in machine.log.graph_functions for node in (each.origin.node, _wrapped(each))}
    for node, words in module.syntax.survey.mentions.items():
        function = machine.program.functions.get(node)
        mentioned = MAKING in words.attributes or MAKING in words.names
        if mentioned and function is not None and function.module is module and node in machine.called:
            for statement, making in _making(function.node):
                if made.isdisjoint(making):
                    yield function, statement


def run_alone(machine: Machine, function: Function, statement: ast.stmt) -> None:
    """Run one statement of a function of whose names nothing is known."""
    scope = Scope(function.scope, function.module, "function", None)
    machine.activations.append(Activation(function, scope, function.module, 0))
    machine.execute([statement])
    machine.activations.pop()


def _wrapped(made: object) -> ast.AST | None:
    inner = underlying(made.function)  # type: ignore[attr-defined]
    return inner.node if inner is not None else None


def _making(node: ast.AST) -> Iterator[tuple[ast.stmt, set[ast.AST]]]:
    """The statements in a function's own body that make a graph function, with what shows that they ran."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, DEFINITIONS):
            if any(map(_names_it, child.decorator_list)):
                yield child, {child, *child.decorator_list}
        elif isinstance(child, (ast.Assign, ast.AnnAssign, ast.Expr, ast.Return)):
            calls = [each for each in walk(child) if isinstance(each, ast.Call) and _names_it(each.func)]
            if calls:
                yield child, {part for call in calls for part in (call, *call.args)}
        elif not isinstance(child, SCOPES):
            yield from _making(child)


def _names_it(node: ast.expr) -> bool:
    """`tf.function`, or a call of it."""
    called = node.func if isinstance(node, ast.Call) else node
    return getattr(called, "attr", getattr(called, "id", "")) == MAKING


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
