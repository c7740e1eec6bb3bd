"""Shapes that a TensorFlow loop may change: `tf.autograph.experimental.set_loop_options`."""

import ast
from collections.abc import Mapping

from graphdoctor.model import Edit
from graphdoctor.refactoring.bodies import Body
from graphdoctor.refactoring.statements import insert_lines
from graphdoctor.source.names import dotted_name, module_alias

Shape = tuple[int | None, ...] | None
OPTIONS = "tensorflow.autograph.experimental.set_loop_options"


def common_shape(before: Shape, after: Shape) -> Shape:
    """What two shapes have in common: open sizes where they differ, None where their ranks do."""
    if before is None or after is None or len(before) != len(after):
        return None
    return tuple(a if a == b else None for a, b in zip(before, after, strict=True))


def relax(body: Body, loop: ast.AST, shapes: Mapping[str, Shape]) -> Edit | None:
    """The edit that lets these names change their shapes in a loop."""
    tensorflow = module_alias("tensorflow", body.scope)
    names = [name for name in shapes if name.replace(".", "").isidentifier()]
    if tensorflow is None or not isinstance(loop, ast.For | ast.While) or not names:
        return None
    pairs = [f"({name}, {tensorflow}.TensorShape({_written(shapes[name])}))" for name in names]
    first = loop.body[0]
    given = _given(body, first)
    if given is not None:
        return body.home.insert_before(given.elts[0], f"{', '.join(pairs)}, ") if given.elts else None
    options = f"{tensorflow}.autograph.experimental.set_loop_options(shape_invariants=[{', '.join(pairs)}])"
    return insert_lines(body, first, options) if first.lineno > loop.lineno else None


def _written(shape: Shape) -> str:
    return str(list(shape)) if shape is not None else "None"


def _given(body: Body, first: ast.stmt) -> ast.List | None:
    """The list of shapes that the first statement of a loop gives already."""
    call = first.value if isinstance(first, ast.Expr) else None
    if not isinstance(call, ast.Call) or dotted_name(call.func, body.scope) != OPTIONS:
        return None
    value = next((keyword.value for keyword in call.keywords if keyword.arg == "shape_invariants"), None)
    return value if isinstance(value, ast.List) else None
