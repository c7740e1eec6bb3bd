"""The loops and the function around a line."""

import ast
from collections.abc import Iterator, Sequence

from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module

Loop = ast.For | ast.While


def loop_at(module: Module, line: int, name: str) -> Loop | None:
    """The innermost loop around a line whose body has it, within the function there."""
    around = function_at(module, line, name)
    root: ast.AST = around.node if around is not None else module.tree
    found = [node for node in _own_nodes(root) if isinstance(node, Loop) and _has(node.body, line)]
    return max(found, key=lambda loop: loop.lineno, default=None)


def outermost_loop(module: Module, loop: Loop) -> Loop:
    """The loop around all others that this one is in, within its function."""
    owner = module.scope_at(loop).node
    around = [
        node
        for node in _own_nodes(owner if owner is not None else module.tree)
        if isinstance(node, Loop) and any(inner is loop for inner in ast.walk(node))
    ]
    return min(around, key=lambda one: one.lineno, default=loop)


def function_at(module: Module, line: int, name: str) -> Function | None:
    """The function of this name around a line, its decorators included."""
    found = [
        function
        for function in module.functions.values()
        if function.name == name and function.ref.line <= line <= (function.node.end_lineno or line)
    ]
    return max(found, key=lambda function: function.node.lineno, default=None)


def _has(body: Sequence[ast.stmt], line: int) -> bool:
    return any(each.lineno <= line <= (each.end_lineno or each.lineno) for each in body)


def _own_nodes(root: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function or module, without those of functions in it."""
    waiting = list(ast.iter_child_nodes(root))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)
