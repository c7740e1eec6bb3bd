"""Sizes that nobody knows while tracing → `tf.shape`, and shapes that are stated."""

import ast
from collections.abc import Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.bodies import Body
from graphdoctor.refactoring.renaming import with_others
from graphdoctor.refactoring.statements import insert_lines_after, statement_of
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name, module_alias
from graphdoctor.source.scopes import parameters

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
    targets = statement.targets[0] if len(statement.targets) == 1 else None
    if not isinstance(targets, (ast.Tuple, ast.List)) or not 0 <= axis < len(targets.elts):
        return None
    before = targets.elts[: axis + 1]
    if not all(isinstance(each, ast.Name) for each in before):
        return None
    return insert_lines_after(
        body, statement, f"{ast.unparse(before[-1])} = {tensorflow}.shape({name})[{axis}]"
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
    if tensorflow is None or not isinstance(statement, ast.Assign):
        return None
    target = statement.targets[0] if len(statement.targets) == 1 and statement.value is call else None
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    if len(names) != len(shapes) or len(names) != len(parts):
        return None
    lines = (
        f"{name} = {tensorflow}.ensure_shape({name}, {list(shape)})"
        for name, shape in zip(names, shapes, strict=True)
    )
    return insert_lines_after(body, statement, *lines)


def without_animations(body: Body, call: ast.AST) -> Edit | None:
    """`tf.io.decode_image(…, expand_animations=False)`: three axes, of a GIF the first frame."""
    if not isinstance(call, ast.Call) or dotted_name(call.func, body.scope) not in DECODING:
        return None
    if any(keyword.arg in (None, "expand_animations") for keyword in call.keywords):
        return None
    text = body.home.source_of(call)
    return body.home.replace(call, f"{text[:-1].rstrip().rstrip(',')}, expand_animations=False)")
