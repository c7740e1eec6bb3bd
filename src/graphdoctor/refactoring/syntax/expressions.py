"""Expressions as text: with brackets where needed, with parts replaced, number literals."""

import ast
import copy
import itertools
from collections.abc import Mapping

from graphdoctor.source.module import Module

ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant)
# In these an expression needs none.
STANDING_ALONE = (ast.Call, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.Lambda)


def operand(text: str) -> str:
    """An expression as it may stand beside an operator."""
    return text if isinstance(ast.parse(text, mode="eval").body, ATOMS) else f"({text})"


def within(text: str, around: ast.AST | None) -> str:
    """An expression as it may stand in the one that is around it."""
    joined = isinstance(around, ast.expr) and not isinstance(around, STANDING_ALONE)
    return operand(text) if joined else text


def in_one_piece(text: str) -> str:
    """An expression as it may follow a `=`: one that goes on in the next line only in brackets."""
    try:
        ast.parse(f"x = {text}")
    except SyntaxError:
        return f"({text})"
    return text if len(ast.parse(f"x = {text}").body) == 1 else f"({text})"


def is_number_literal(node: ast.expr | None) -> bool:
    """Whether an expression is a plain int or float, with or without a sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


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
