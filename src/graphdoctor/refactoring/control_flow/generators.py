"""A generator → a function that returns the list of what it would give."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.statements import insert_lines, insert_lines_after
from graphdoctor.source.surroundings import NESTED, Body, free_name

YIELDS = (ast.Yield, ast.YieldFrom)


def to_list(body: Body) -> tuple[Edit, ...] | None:
    """The edits that collect what a generator yields; None where it never ends, or hears what it is sent."""
    function = body.function.node
    name = free_name(body, "results", "collected")
    if not isinstance(function, ast.FunctionDef) or name is None:
        return None
    yields = [node for node in _own(function) if isinstance(node, YIELDS)]
    statements = [body.parents.get(each) for each in yields]
    endless = any(isinstance(n, ast.While) and isinstance(n.test, ast.Constant) for n in _own(function))
    if not yields or endless or not all(isinstance(each, ast.Expr) for each in statements):
        return None
    text = ast.get_docstring(function)
    first = function.body[1 if text is not None and len(function.body) > 1 else 0]
    begins = insert_lines(body.home, first, f"{name} = []")
    ends = insert_lines_after(body.home, function.body[-1], f"return {name}")
    if begins is None or ends is None:
        return None
    returns = [body.home.replace(each, f"return {name}") for each in body.function.returns]
    return (begins, *(_kept(body, each, name) for each in yields), *returns, ends)


def _own(function: ast.FunctionDef) -> list[ast.AST]:
    """The nodes of a function without those of functions inside it."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        found.append(node)
        if not isinstance(node, NESTED):
            waiting += ast.iter_child_nodes(node)
    return found


def _kept(body: Body, node: ast.AST, name: str) -> Edit:
    value = getattr(node, "value", None)
    text = body.home.source_of(value) if value is not None else "None"
    method = "extend" if isinstance(node, ast.YieldFrom) else "append"
    return body.home.replace(node, f"{name}.{method}({text})")
