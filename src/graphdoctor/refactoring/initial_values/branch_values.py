"""Branches of a tensor `if` that do not give the same: the value that is missing, written out."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.initial_values.zeros import Kind, blank
from graphdoctor.refactoring.syntax.statements import insert_lines, insert_lines_after
from graphdoctor.source.surroundings import Body, indent_of, loop_around, statement_of, value_given, whole_if


def set_before_if(body: Body, node: ast.AST, name: str, given: ast.AST | None, kind: Kind) -> Edit | None:
    """The line that gives a name zeros before the `if`, of one branch of which the statement sets it."""
    branch = whole_if(body, node)
    if branch is None or not name.replace(".", "").isidentifier():
        return None
    value = blank(body, value_given(given, name), branch.lineno, kind)
    return insert_lines(body.home, branch, f"{name} = {value}") if value is not None else None


def in_place_of_none(
    body: Body, node: ast.AST, name: str, none: ast.AST | None, given: ast.AST | None, kind: Kind
) -> Edit | None:
    """Zeros where a name, or one side of a conditional expression, is None."""
    if not name:
        return _in_conditional(body, node, kind)
    written = value_given(none, name)
    if not isinstance(written, ast.Constant) or written.value is not None or _asks_for_none(body, name):
        return None
    value = blank(body, value_given(given, name), written.lineno, kind)
    if value is not None:
        return body.home.replace(written, value)
    return set_before_if(body, node, name, given, kind)


def _in_conditional(body: Body, node: ast.AST, kind: Kind) -> Edit | None:
    sides = [getattr(node, "body", None), getattr(node, "orelse", None)]
    none = next((side for side in sides if isinstance(side, ast.Constant) and side.value is None), None)
    other = next((side for side in sides if isinstance(side, ast.expr) and side is not none), None)
    value = blank(body, other, node.lineno, kind) if none is not None and isinstance(node, ast.expr) else None
    return body.home.replace(none, value) if none is not None and value is not None else None


def _asks_for_none(body: Body, name: str) -> bool:
    """Whether the function asks whether a name is None: then its zeros would be taken for a value."""
    compares = (part for part in ast.walk(body.function.node) if isinstance(part, ast.Compare))
    return any(
        isinstance(each.ops[0], ast.Is | ast.IsNot) and ast.unparse(each.left) == name for each in compares
    )


def return_on_both_ways(
    body: Body, node: ast.AST, returned: ast.AST | None, other: ast.AST | None, kind: Kind
) -> Edit | None:
    """Zeros like what one `return` gives, where the other way through an `if` returns nothing."""
    branch, function = whole_if(body, node), body.function.node
    given = returned.value if isinstance(returned, ast.Return) else None
    if branch is None or given is None or not isinstance(function, ast.FunctionDef):
        return None
    if loop_around(body, branch) is not None:
        return None
    value = blank(body, given, branch.lineno, kind)
    if value is None:
        return None
    if isinstance(given, ast.Tuple) and len(given.elts) > 1:
        value = value[1:-1]
    if isinstance(other, ast.Return):
        return body.home.replace(other, f"return {value}")
    last = function.body[-1]
    if indent_of(body.home, last) is None or statement_of(body, node) is None:
        return None
    return insert_lines_after(body.home, last, f"return {value}")
