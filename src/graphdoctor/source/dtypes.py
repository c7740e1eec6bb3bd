"""Expressions → the dtype of the tensor they make, where that is certain."""

import ast

from graphdoctor.source.flow import reaching_bindings
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

FLOAT_BY_DEFAULT = {
    f"tensorflow.{name}"
    for name in (
        "ones",
        "zeros",
        "eye",
        "random.normal",
        "random.uniform",
        "random.truncated_normal",
    )
}
KEEPING = {
    f"tensorflow.{name}"
    for name in (
        "identity", "abs", "negative", "reshape", "squeeze", "expand_dims", "transpose", "reverse",
        "reduce_sum", "reduce_max", "reduce_min", "reduce_mean", "square", "sqrt", "exp", "stop_gradient",
        "ones_like", "zeros_like", "tile", "gather", "cumsum", "math.reduce_sum", "math.reduce_mean",
    )
}  # fmt: skip
LONGEST_CHAIN = 8


def dtype_of(node: ast.expr | None, scope: Scope, depth: int = 0) -> str | None:
    """The dtype, such as `float32`; None unless certain."""
    if depth > LONGEST_CHAIN:
        return None
    if isinstance(node, ast.Name):
        found = reaching_bindings(node, scope)
        bindings = found[1] if found else []
        if found and len(bindings) == 1 and bindings[0].kind == "value" and bindings[0].index is None:
            return dtype_of(bindings[0].value, found[0], depth + 1)
        if found and len(bindings) == 1 and bindings[0].kind == "item" and bindings[0].index is None:
            return dtype_of(bindings[0].value, found[0], depth + 1)  # the items of a tensor have its dtype
    if isinstance(node, ast.Subscript):
        return dtype_of(node.value, scope, depth + 1)
    if isinstance(node, ast.Call):
        return _dtype_of_call(node, scope, depth)
    if isinstance(node, ast.BinOp):
        dtypes = {dtype_of(side, scope, depth + 1) for side in (node.left, node.right)} - {None}
        return dtypes.pop() if len(dtypes) == 1 else None
    return None


def _dtype_of_call(node: ast.Call, scope: Scope, depth: int) -> str | None:
    name = dotted_name(node.func, scope)
    given = {keyword.arg: keyword.value for keyword in node.keywords}.get("dtype")
    if name == "tensorflow.cast" and given is None and len(node.args) > 1:
        given = node.args[1]
    if given is not None:
        dtype = dotted_name(given, scope) or ""
        return dtype.removeprefix("tensorflow.") if dtype.startswith("tensorflow.") else None
    if name in FLOAT_BY_DEFAULT and len(node.args) == 1:
        return "float32"
    if name == "tensorflow.constant" and len(node.args) == 1:
        return _dtype_of_literal(node.args[0])
    if name == "tensorflow.range":
        dtypes = {_dtype_of_limit(argument, scope, depth) for argument in node.args}
        return dtypes.pop() if len(dtypes) == 1 else None
    if name in ("tensorflow.shape", "tensorflow.size", "tensorflow.rank") and len(node.args) == 1:
        return "int32"
    if name in KEEPING and node.args:
        return dtype_of(node.args[0], scope, depth + 1)
    return None


def _dtype_of_limit(node: ast.expr, scope: Scope, depth: int) -> str | None:
    """The dtype that a limit gives a range."""
    return _dtype_of_literal(node) if isinstance(node, ast.Constant) else dtype_of(node, scope, depth + 1)


def _dtype_of_literal(node: ast.expr) -> str | None:
    leaves = [leaf.value for leaf in ast.walk(node) if isinstance(leaf, ast.Constant)]
    if not leaves or any(isinstance(leaf, ast.Name | ast.Call) for leaf in ast.walk(node)):
        return None
    if all(type(leaf) in (int, float) for leaf in leaves):
        return "float32" if any(type(leaf) is float for leaf in leaves) else "int32"
    return None
