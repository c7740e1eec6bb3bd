"""What happens again and again: loops, what changes in them, and which become graph loops."""

import ast

from graphdoctor.source.kinds import Kind, kind_of
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Loop, Scope


def iterations(loop: Loop, scope: Scope) -> int | None:
    """How often a loop runs, where the source says so."""
    if isinstance(loop, ast.While):
        return None
    iterable = loop.iter
    if isinstance(iterable, ast.List | ast.Tuple | ast.Set):
        return len(iterable.elts)
    if isinstance(iterable, ast.Call):
        called = dotted_name(iterable.func, scope)
        values = [argument.value for argument in iterable.args if isinstance(argument, ast.Constant)]
        numbers = [value for value in values if isinstance(value, int)]
        if called == "builtins.range" and numbers and len(numbers) == len(iterable.args):
            return len(range(*numbers)) if len(numbers) <= 3 and 0 not in numbers[2:] else None
    return None


def changing_loop(node: ast.expr, loops: tuple[Loop, ...], scope: Scope) -> Loop | None:
    """The loop around a place in which an expression takes new values, or None when it stays the same."""
    for name in (n for n in ast.walk(node) if isinstance(n, ast.Name)):
        found = scope.lookup(name.id)
        for binding in found[1] if found else ():
            for loop in loops:
                if binding.node is loop:
                    return loop
                if binding.kind == "update" and _inside(binding.node, loop):
                    return loop
    return None


def _inside(node: ast.AST, loop: Loop) -> bool:
    body = loop.body if not isinstance(loop, ast.comprehension) else []
    return any(node is inner for statement in body for inner in ast.walk(statement))


def binds(loop: Loop, name: str) -> bool:
    """Whether a loop, or anything in its body, gives this name a value."""
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
        for node in ast.walk(loop)
    )


def is_graph_loop(loop: Loop, scope: Scope) -> bool:
    """Whether AutoGraph turns a loop of a converted function into a TensorFlow loop."""
    if isinstance(loop, ast.While):
        return kind_of(loop.test, scope) is Kind.TENSOR
    if isinstance(loop, ast.comprehension | ast.AsyncFor):
        return False
    iterable = loop.iter
    if isinstance(iterable, ast.Call) and dotted_name(iterable.func, scope) == "builtins.range":
        return any(kind_of(argument, scope) is Kind.TENSOR for argument in iterable.args)
    if isinstance(iterable, ast.Call) and dotted_name(iterable.func, scope) == "builtins.enumerate":
        return bool(iterable.args) and kind_of(iterable.args[0], scope) is Kind.DATASET
    return kind_of(iterable, scope) in (Kind.TENSOR, Kind.DATASET)
