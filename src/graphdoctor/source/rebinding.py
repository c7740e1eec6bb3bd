"""Globals that a traced function reads and that change between two of its calls."""

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphdoctor.source.bodies import Body
from graphdoctor.source.kind import Kind
from graphdoctor.source.kinds import kind_of
from graphdoctor.source.scopes import Binding

if TYPE_CHECKING:
    from graphdoctor.source.module import Module


def stale_globals(module: "Module") -> Iterator[tuple[Body, ast.Name, ast.AST]]:
    """Where a traced function reads a global number or text, and where that is assigned again."""
    for body in module.bodies:
        if body.home is not module:
            continue
        for name, uses in body.loads.items():
            found = body.scope.lookup(name)
            if found is None or found[0] is not module.walk.root or len(found[1]) < 2:
                continue
            change = _later_change(module, body, found[1])
            if change is not None:
                yield body, uses[0], change


def _later_change(module: "Module", body: Body, bindings: list[Binding]) -> ast.AST | None:
    """The assignment that comes after a call of the function and before another."""
    first, *others = bindings
    if first.kind != "value" or first.index is not None:
        return None
    if kind_of(first.value, module.walk.root) not in (Kind.NUMBER, Kind.TEXT):
        return None
    calls = [
        call
        for call in module.calls
        if call.function.node is body.function.node and call.scope.function is None
    ]
    for binding in others:
        if isinstance(binding.node, ast.Global):
            if module.scope_at(binding.node).node not in module.context.bodies and len(calls) > 1:
                return _assignment(module, binding)
            continue
        if isinstance(binding.node, ast.For) and any(binding.node in call.loops for call in calls):
            return binding.node.target
        line = getattr(binding.node, "lineno", 0)
        lines = [call.node.lineno for call in calls]
        if any(call < line for call in lines) and any(call > line for call in lines):
            return binding.node
    return None


def _assignment(module: "Module", binding: Binding) -> ast.AST | None:
    """Where a function that declares a name `global` assigns it."""
    scope = module.scope_at(binding.node)
    own = scope.bindings.get(binding.name, [])
    return own[0].node if own else None
