"""Expressions with other expressions in the place of their names."""

import ast
import copy
from collections.abc import Mapping


def with_others(expression: ast.expr, others: Mapping[str, ast.expr]) -> ast.expr:
    """A copy of an expression in which other expressions stand for some names."""
    written = _Renamed(others).visit(copy.deepcopy(expression))
    assert isinstance(written, ast.expr)
    return written


class _Renamed(ast.NodeTransformer):
    """Other expressions in the place of names."""

    def __init__(self, others: Mapping[str, ast.expr]) -> None:
        self.others = others

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.others.get(node.id, node)
