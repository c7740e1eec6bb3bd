"""A TensorArray that grows → one of the size that its loop fills."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.bodies import Body
from graphdoctor.source.names import dotted_name


def with_size(body: Body, call: ast.AST) -> Edit | None:
    """`tf.TensorArray(dtype, size=n)`, where a loop over `tf.range(n)` writes at each of its iterations."""
    statement = body.parents.get(call)
    if not isinstance(call, ast.Call) or not isinstance(statement, ast.Assign):
        return None
    name = ast.unparse(statement.targets[0])
    writes = [
        node
        for node in ast.walk(body.function.node)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "write"
        and ast.unparse(node.func.value) == name
    ]
    loop = _loop(body, writes[0]) if len(writes) == 1 else None
    if loop is None or not isinstance(loop.iter, ast.Call) or len(loop.iter.args) != 1 or loop.orelse:
        return None
    if dotted_name(loop.iter.func, body.scope) not in ("tensorflow.range", "builtins.range"):
        return None
    index = writes[0].args[0] if writes[0].args else None
    by_index = (
        isinstance(index, ast.Name) and isinstance(loop.target, ast.Name) and index.id == loop.target.id
    )
    grows = index is not None and ast.unparse(index) == f"{name}.size()"
    if not by_index and not grows:
        return None
    size = body.home.source_of(loop.iter.args[0])
    kept = [body.home.source_of(each) for each in call.args[:1]]
    kept += [f"size={size}"]
    left_out = ("size", "dynamic_size")
    kept += [body.home.source_of(each) for each in call.keywords if each.arg not in left_out]
    edit = body.home.replace(call, f"{body.home.source_of(call.func)}({', '.join(kept)})")
    return edit if by_index else None


def _loop(body: Body, node: ast.AST) -> ast.For | None:
    """The loop that runs a node at each iteration, under no condition."""
    for outer in body.ancestors(node):
        if isinstance(outer, ast.For):
            return outer
        if isinstance(outer, ast.If | ast.While | ast.FunctionDef):
            return None
    return None
