"""The dtype that a value will have as a tensor, from its source."""

import ast

from graphdoctor.source.bodies import Body
from graphdoctor.source.dtypes import dtype_of


def tensor_dtype(body: Body, node: ast.expr) -> str | None:
    """`int32`, `float32`, `bool`: the dtype as a tensor of a literal or a tensor; None unless certain."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    if isinstance(node, ast.Constant):
        return {bool: "bool", int: "int32", float: "float32", str: "string"}.get(type(node.value))
    return dtype_of(node, body.scope_of(node))


def is_number_literal(node: ast.expr | None) -> bool:
    """Whether an expression is a plain int or float, with or without a sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)
