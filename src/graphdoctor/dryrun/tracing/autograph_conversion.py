"""Why AutoGraph leaves a function as it is."""

import ast

from graphdoctor.dryrun.values import Function
from graphdoctor.source.nodes import PARTS, walk
from graphdoctor.source.remembering import remembered

# What AutoGraph says of them, with a warning, where no tensor decides anything (run on 2.21).
WARNINGS = {
    "mangled-name": "mangled names are not yet supported",
    "walrus": "NamedExpr",
    "loop-else": "for/else statement not yet supported",
}
NESTED = frozenset((ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef))
SUSPECT = frozenset((ast.NamedExpr, ast.Match, ast.For, ast.While, ast.Yield, ast.YieldFrom, ast.Attribute))


def why_not_converted(function: Function) -> tuple[str, ast.AST | None]:
    """The reason why AutoGraph does not convert this function, and what stands for it in the source.

    Empty when it does. Run on 2.21: what cannot be converted in a function inside keeps all from it.
    """
    if "__unconverted__" in function.cells:
        return str(function.cells["__unconverted__"]), None
    reason, node = _unsupported(function.node)
    return (reason, node) if reason else (_ambiguous_lambda(function), function.node)


@remembered(20_000)
def _unsupported(node: ast.AST) -> tuple[str, ast.AST | None]:
    if isinstance(node, ast.AsyncFunctionDef):
        return "async", node
    body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)  # type: ignore[attr-defined]
    todo: list[tuple[ast.AST, bool]] = [(each, False) for each in body]
    for current, inside in todo:  # which grows meanwhile
        kind = current.__class__
        reason = _unsupported_part(current, inside) if kind in SUSPECT else ""
        if reason:
            return reason, current.orelse[0] if isinstance(current, (ast.For, ast.While)) else current
        if kind is not ast.ClassDef:
            inner = inside or kind in NESTED
            for part in PARTS[kind]:
                value = getattr(current, part, None)
                if value.__class__ is list:
                    todo += [(each, inner) for each in value if isinstance(each, ast.AST)]
                elif isinstance(value, ast.AST):
                    todo.append((value, inner))
    return "", None


def _unsupported_part(node: ast.AST, inside: bool) -> str:
    if isinstance(node, ast.NamedExpr):
        return "walrus"
    if isinstance(node, ast.Match):
        return "match"
    if isinstance(node, (ast.For, ast.While)) and node.orelse:
        return "loop-else"
    if isinstance(node, (ast.Yield, ast.YieldFrom)):
        return "inner-generator" if inside else "generator"
    name = node.attr if isinstance(node, ast.Attribute) else ""
    return "mangled-name" if name.startswith("__") and not name.endswith("__") else ""


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


@remembered(64)
def _lambdas(tree: ast.AST) -> dict[int, list[ast.Lambda]]:
    found: dict[int, list[ast.Lambda]] = {}
    for node in walk(tree):
        if isinstance(node, ast.Lambda):
            found.setdefault(node.lineno, []).append(node)
    return found
