"""Shapes unknown while tracing: `tf.shape`, `tf.ensure_shape`, and loop shape invariants."""

import ast
from collections.abc import Mapping, Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.expressions import with_others
from graphdoctor.refactoring.syntax.graph_functions import added
from graphdoctor.refactoring.syntax.statements import insert_lines, insert_lines_after
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name, module_alias
from graphdoctor.source.scopes import parameters
from graphdoctor.source.surroundings import Body, statement_of, target_of

DECODING = ("tensorflow.io.decode_image", "tensorflow.image.decode_image")
Shape = tuple[int | None, ...]
CALLED = {"__len__": "len", "__int__": "int", "__index__": "int"}


def as_shape(module: Module, node: ast.AST, name: str) -> Edit | None:
    """`x.shape[i]` as `tf.shape(x)[i]`."""
    tensorflow = module_alias("tensorflow", module.scope_at(node))
    if tensorflow is None or not isinstance(node, ast.Subscript):
        return None
    return module.replace(node, f"{tensorflow}.shape({name})[{module.source_of(node.slice)}]")


def in_list(module: Module, node: ast.AST) -> Edit:
    """`-1` as `[-1]`."""
    return module.replace(node, f"[{module.source_of(node)}]")


def asked_again(body: Body, node: ast.AST, name: str, axis: int) -> Edit | None:
    """`n = tf.shape(x)[0]` after `n, _ = x.shape`."""
    statement, tensorflow = statement_of(body, node), module_alias("tensorflow", body.scope)
    if tensorflow is None or not isinstance(statement, ast.Assign) or statement.value is not node:
        return None
    targets = target_of(statement, node)
    if not isinstance(targets, (ast.Tuple, ast.List)) or not 0 <= axis < len(targets.elts):
        return None
    before = targets.elts[: axis + 1]
    if not all(isinstance(each, ast.Name) for each in before):
        return None
    return insert_lines_after(
        body.home, statement, f"{ast.unparse(before[-1])} = {tensorflow}.shape({name})[{axis}]"
    )


def inlined(module: Module, call: ast.AST, method: str) -> Edit | None:
    """`len(points)` as what `__len__` returns, of `points`: a tensor, where Python takes numbers only."""
    plain = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and len(call.args) == 1
    if not isinstance(call, ast.Call) or not plain or ast.unparse(call.func) != CALLED.get(method):
        return None
    found = [each for each in module.functions.values() if each.name == method and each.owner is not None]
    node = found[0].node if len(found) == 1 else None
    last = node.body[-1] if isinstance(node, ast.FunctionDef) and len(node.body) <= 2 else None
    if node is None or not isinstance(last, ast.Return) or last.value is None:
        return None
    own = next(parameters(node), None)
    if own is None or any(name != own.arg for name in found[0].scope.bindings):
        return None
    return module.replace(call, ast.unparse(with_others(last.value, {own.arg: call.args[0]})))


def is_operation(body: Body, call: ast.AST) -> bool:
    """Whether a call is one of an operation on images or the like, and of no layer or model."""
    name = dotted_name(call.func, body.scope) if isinstance(call, ast.Call) else None
    return (name or "").startswith(("tensorflow.image.", "tensorflow.nn."))


def stated(body: Body, call: ast.AST, shapes: Sequence[Shape]) -> Edit | None:
    """`x = tf.ensure_shape(x, […])` after the line that names what came out of Python, or each part of it."""
    statement, tensorflow = statement_of(body, call), module_alias("tensorflow", body.scope)
    target = target_of(statement, call)
    if tensorflow is None or statement is None or target is None:
        return None
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    if len(names) != len(shapes) or len(names) != len(parts):
        return None
    lines = (
        f"{name} = {tensorflow}.ensure_shape({name}, {list(shape)})"
        for name, shape in zip(names, shapes, strict=True)
    )
    return insert_lines_after(body.home, statement, *lines)


def without_animations(body: Body, call: ast.AST) -> Edit | None:
    """`tf.io.decode_image(…, expand_animations=False)`: three axes, of a GIF the first frame."""
    if not isinstance(call, ast.Call) or dotted_name(call.func, body.scope) not in DECODING:
        return None
    starred = any(keyword.arg is None for keyword in call.keywords)
    return added(body.home, call, "expand_animations=False") if not starred else None


LoopShape = tuple[int | None, ...] | None
OPTIONS = "tensorflow.autograph.experimental.set_loop_options"


def common_shape(before: LoopShape, after: LoopShape) -> LoopShape:
    """What two shapes have in common: open sizes where they differ, None where their ranks do."""
    if before is None or after is None or len(before) != len(after):
        return None
    return tuple(a if a == b else None for a, b in zip(before, after, strict=True))


def relax(body: Body, loop: ast.AST, shapes: Mapping[str, LoopShape]) -> Edit | None:
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
    return insert_lines(body.home, first, options) if first.lineno > loop.lineno else None


def _written(shape: LoopShape) -> str:
    return str(list(shape)) if shape is not None else "None"


def _given(body: Body, first: ast.stmt) -> ast.List | None:
    """The list of shapes that the first statement of a loop gives already."""
    call = first.value if isinstance(first, ast.Expr) else None
    if not isinstance(call, ast.Call) or dotted_name(call.func, body.scope) != OPTIONS:
        return None
    value = next((keyword.value for keyword in call.keywords if keyword.arg == "shape_invariants"), None)
    return value if isinstance(value, ast.List) else None
