"""Calls to functions of the project, with the expression given for each parameter."""

import ast
import dataclasses

from graphdoctor.source.functions import Function, resolve_function
from graphdoctor.source.scopes import Loop, Scope, Walk


@dataclasses.dataclass(eq=False, slots=True)
class Call:
    """A call of a function that we know; `arguments` maps parameter names to expressions."""

    node: ast.Call
    function: Function
    scope: Scope
    loops: tuple[Loop, ...]
    statement: ast.stmt
    arguments: dict[str, ast.expr]


def find_calls(walk: Walk) -> list[Call]:
    """All calls in the module whose callee is a function of the project."""
    calls = []
    for placed in walk.calls:
        node = placed.node
        assert isinstance(node, ast.Call)
        function = resolve_function(node.func, placed.scope)
        if function is not None:
            arguments = bind_arguments(node, function)
            calls.append(Call(node, function, placed.scope, placed.loops, placed.statement, arguments))
    return calls


def bind_arguments(call: ast.Call, function: Function) -> dict[str, ast.expr]:
    """The expression for each parameter that is given plainly; nothing after a `*` or `**`."""
    names = [a.arg for a in (*function.node.args.posonlyargs, *function.node.args.args)]
    if function.owner is not None and not function.is_static and _is_bound(call, function):
        names = names[1:]
    bound: dict[str, ast.expr] = {}
    for name, value in zip(names, call.args, strict=False):
        if isinstance(value, ast.Starred):
            break
        bound[name] = value
    bound.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg})
    return bound


def _is_bound(call: ast.Call, function: Function) -> bool:
    """False for `Trainer.step(trainer, x)`, where `self` is given by hand."""
    target = call.func
    owner = function.owner
    by_class = (
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and owner is not None
        and target.value.id == owner.name
    )
    return not by_class
