"""`:=` → an assignment on the line before."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.statements import insert_lines, insert_lines_after
from graphdoctor.source.surroundings import LOOPS, NESTED, Body, indent_of, statement_of

INNER = (*NESTED, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
PLAIN = (ast.If, ast.While, ast.Assign, ast.AugAssign, ast.Return, ast.Expr, ast.Assert)


def assigned_before(body: Body, node: ast.AST) -> tuple[tuple[Edit, ...], bool] | None:
    """The edits, and whether what is evaluated and when stays as it is; None where that is unknown."""
    statement, parent = statement_of(body, node), body.parents.get(node)
    if not isinstance(node, ast.NamedExpr) or not isinstance(statement, PLAIN):
        return None
    if node.lineno != node.end_lineno:
        return None
    around = [outer for outer in body.ancestors(node) if outer in set(ast.walk(statement))]
    if any(isinstance(outer, INNER) for outer in around) or _is_conditional(around, node):
        return None
    first = getattr(statement, "test", None)
    compared = isinstance(parent, ast.Compare) and parent.left is node
    sure = first is node or (compared and first is parent)
    home, assign = body.home, f"{node.target.id} = {body.home.source_of(node.value)}"
    begins = insert_lines(body.home, statement, assign)
    if begins is None:
        return None
    edits = [begins, home.replace_in_parentheses(node, node.target.id)]
    if isinstance(statement, ast.While):
        again = _again(body, statement, assign)
        if again is None:
            return None
        edits += again
    return tuple(edits), sure


def _is_conditional(around: list[ast.AST], node: ast.AST) -> bool:
    """Whether an expression is evaluated only where another one lets it: `a and b`, `a if c else b`."""
    inner = node
    for outer in around:
        if isinstance(outer, ast.BoolOp) and outer.values[0] is not inner:
            return True
        if isinstance(outer, ast.IfExp) and outer.test is not inner:
            return True
        inner = outer
    return False


def _again(body: Body, loop: ast.While, assign: str) -> list[Edit] | None:
    """The assignment at each place from which a loop goes back to its condition."""
    if loop.orelse:
        return None
    last = loop.body[-1]
    end = None if isinstance(last, ast.Continue) else insert_lines_after(body.home, last, assign)
    found = [] if end is None else [end]
    waiting: list[ast.AST] = list(loop.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Continue):
            indent = indent_of(body.home, node)
            if indent is None:
                return None
            found.append(body.home.insert(node.lineno, 1, f"{indent}{assign}\n"))
        elif not isinstance(node, (*LOOPS, *NESTED)):
            waiting += ast.iter_child_nodes(node)
    return found if end is not None or isinstance(last, ast.Continue) else None
