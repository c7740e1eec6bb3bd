"""Brackets around an expression that is put into a larger one."""

import ast

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
