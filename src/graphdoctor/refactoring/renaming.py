"""Expressions with other ones in the place of their names, or of parts of them."""

import ast
import copy
import itertools
from collections.abc import Mapping

from graphdoctor.source.module import Module


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


def source_with(module: Module, node: ast.expr, others: Mapping[ast.expr, str]) -> str:
    """The text of an expression as it is written, with other texts in the place of some of its parts."""
    lines = [line.encode() for line in module.source_of(node).splitlines(keepends=True)]
    starts = [0, *itertools.accumulate(len(line) for line in lines)]

    def offset(line: int, column: int) -> int:
        return starts[line - node.lineno] + column - (node.col_offset if line == node.lineno else 0)

    text = b"".join(lines)
    for part in sorted(others, key=lambda each: (each.lineno, each.col_offset), reverse=True):
        end = offset(part.end_lineno or part.lineno, part.end_col_offset or part.col_offset)
        text = text[: offset(part.lineno, part.col_offset)] + others[part].encode() + text[end:]
    return text.decode()
