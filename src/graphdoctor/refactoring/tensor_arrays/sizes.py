"""A TensorArray that grows → one of the size that its loop fills."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.calls import called_name
from graphdoctor.source.def_use import Kind, Use, place_of
from graphdoctor.source.resolving import call_of, def_use
from graphdoctor.source.surroundings import Body, target_of

RANGES = ("tensorflow.range", "builtins.range")


def with_size(body: Body, call: ast.AST) -> Edit | None:
    """`tf.TensorArray(dtype, size=n)`, where a loop over `tf.range(n)` writes at each of its iterations."""
    name = place_of(target_of(body.parents.get(call), call) or ast.Pass())
    reads = def_use(body.home, body.function.node).of(name, Kind.READ) if name else []
    written = [one.node for one in reads if one.method == "write" and one.use is Use.METHOD]
    loop = _loop(body, written[0]) if len(written) == 1 else None
    if not isinstance(call, ast.Call) or loop is None or not isinstance(loop.iter, ast.Call) or loop.orelse:
        return None
    if called_name(loop.iter, body.scope) not in RANGES or len(loop.iter.args) != 1:
        return None
    write = call_of(body.home, body.parents[written[0]])
    if write is None or not write.args or place_of(write.args[0]) != place_of(loop.target):
        return None
    source = body.home.source_of
    kept = [source(each) for each in call.args[:1]] + [f"size={source(loop.iter.args[0])}"]
    kept += [source(each) for each in call.keywords if each.arg not in ("size", "dynamic_size")]
    return body.home.replace(call, f"{source(call.func)}({', '.join(kept)})")


def _loop(body: Body, node: ast.AST) -> ast.For | None:
    """The loop that runs a node at each iteration, under no condition."""
    for outer in body.ancestors(node):
        if isinstance(outer, ast.For):
            return outer
        if isinstance(outer, ast.If | ast.While | ast.FunctionDef):
            return None
    return None
