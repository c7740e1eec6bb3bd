"""Numbers as they are written."""

import ast


def is_number_literal(node: ast.expr | None) -> bool:
    """Whether an expression is a plain int or float, with or without a sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)
