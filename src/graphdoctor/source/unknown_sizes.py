"""Sizes that an `input_signature` leaves open: `x.shape[i]` is None while tracing."""

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphdoctor.source.bodies import Body
from graphdoctor.source.flow import reaching_bindings
from graphdoctor.source.functions import TracedFunction
from graphdoctor.source.names import dotted_name

if TYPE_CHECKING:
    from graphdoctor.source.module import Module


def unknown_sizes(module: "Module", body: Body) -> Iterator[tuple[ast.Subscript, str, int]]:
    """Every `x.shape[i]` of a parameter whose signature has None there, with its name and axis."""
    entry = module.context.entries.get(body.function.node)
    if entry is None or entry.traced is None:
        return
    shapes = _shapes(entry.traced)
    for item in body.of(ast.Subscript) if shapes else ():
        axis = item.slice.value if isinstance(item.slice, ast.Constant) else None
        owner = item.value
        if not isinstance(axis, int) or not isinstance(owner, ast.Attribute) or owner.attr != "shape":
            continue
        name = owner.value
        if not isinstance(name, ast.Name) or name.id not in shapes or not _is_unchanged(body, name):
            continue
        shape = shapes[name.id]
        if 0 <= axis < len(shape) and shape[axis]:
            yield item, name.id, axis


def _shapes(traced: TracedFunction) -> dict[str, list[bool]]:
    """For each parameter with a literal shape, which of its axes are None."""
    signature = traced.options.get("input_signature")
    if not isinstance(signature, ast.List | ast.Tuple):
        return {}
    function = traced.function
    names = [a.arg for a in (*function.node.args.posonlyargs, *function.node.args.args)]
    if function.owner is not None and not function.is_static:
        names = names[1:]
    found = {}
    for name, spec in zip(names, signature.elts, strict=False):
        shape = _shape(spec, traced)
        if shape is not None:
            found[name] = shape
    return found


def _shape(spec: ast.expr, traced: TracedFunction) -> list[bool] | None:
    scope = traced.function.placed.scope
    if not isinstance(spec, ast.Call) or dotted_name(spec.func, scope) != "tensorflow.TensorSpec":
        return None
    keywords = {keyword.arg: keyword.value for keyword in spec.keywords}
    shape = spec.args[0] if spec.args else keywords.get("shape")
    if not isinstance(shape, ast.List | ast.Tuple):
        return None
    return [isinstance(size, ast.Constant) and size.value is None for size in shape.elts]


def _is_unchanged(body: Body, name: ast.Name) -> bool:
    found = reaching_bindings(name, body.scope_of(name))
    return found is not None and [binding.kind for binding in found[1]] == ["parameter"]
