"""Why AutoGraph leaves a function as it is."""

from __future__ import annotations

import ast
import functools

from graphdoctor.dryrun.values import Function

NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def why_not_converted(function: Function) -> str:
    """The reason why AutoGraph does not convert this function; empty when it does."""
    if "__unconverted__" in function.cells:
        return str(function.cells["__unconverted__"])
    return _unsupported(function.node) or _ambiguous_lambda(function)


@functools.lru_cache(maxsize=20_000)
def _unsupported(node: ast.AST) -> str:
    if isinstance(node, ast.AsyncFunctionDef):
        return "async"
    body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)  # type: ignore[attr-defined]
    todo = body
    while todo:
        current = todo.pop()
        if isinstance(current, ast.NamedExpr):
            return "walrus"
        if isinstance(current, ast.Match):
            return "match"
        if isinstance(current, ast.For | ast.While) and current.orelse:
            return "loop-else"
        if isinstance(current, ast.Yield | ast.YieldFrom):
            return "generator"
        if isinstance(current, ast.Attribute) and _is_mangled(current.attr):
            return "mangled-name"
        if not isinstance(current, NESTED):
            todo += ast.iter_child_nodes(current)
    return ""


def _is_mangled(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def _ambiguous_lambda(function: Function) -> str:
    """AutoGraph finds a lambda by its line, and cannot tell two with the same parameters apart."""
    node = function.node
    if not isinstance(node, ast.Lambda):
        return ""
    lambdas = _lambdas(function.module.syntax.tree).get(node.lineno, ())
    names = _parameters(node)
    return "two-lambdas" if sum(1 for each in lambdas if _parameters(each) == names) > 1 else ""


def _parameters(node: ast.Lambda) -> tuple[str, ...]:
    return tuple(
        argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    )


@functools.lru_cache(maxsize=64)
def _lambdas(tree: ast.AST) -> dict[int, list[ast.Lambda]]:
    found: dict[int, list[ast.Lambda]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda):
            found.setdefault(node.lineno, []).append(node)
    return found
