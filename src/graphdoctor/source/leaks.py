"""Tensors that a traced function keeps in an attribute, and eager code that reads it afterwards."""

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphdoctor.source.bodies import Body
from graphdoctor.source.classes import class_of_instance
from graphdoctor.source.kind import Kind

if TYPE_CHECKING:
    from graphdoctor.source.module import Module


def leaked_attributes(module: "Module") -> Iterator[tuple[Body, ast.Attribute, ast.Attribute]]:
    """The attribute that gets a tensor in a traced method, and a place that reads it eagerly."""
    for body in module.bodies:
        if body.home is not module or body.function.owner is None:
            continue
        for store in module.walk.stores:
            if store.scope.function is not body.scope or store.node not in body.parents:
                continue
            kind = body.kind(store.value) if store.index is None else Kind.UNKNOWN
            if kind is Kind.TENSOR and isinstance(store.node, ast.Assign):
                reader = _eager_reader(module, body, store.target)
                if reader is not None:
                    yield body, store.target, reader


def _eager_reader(module: "Module", body: Body, target: ast.Attribute) -> ast.Attribute | None:
    """A place at the top of the module, or in a plain function, that reads the attribute eagerly."""
    owner = class_of_instance(target.value, body.scope)
    for node in ast.walk(module.tree) if owner is not None else ():
        if not (
            isinstance(node, ast.Attribute) and node.attr == target.attr and isinstance(node.ctx, ast.Load)
        ):
            continue
        scope = module.scope_at(node)
        around = scope.function
        if around is not None and (
            around.node in module.context.bodies
            or (around.parent is not None and isinstance(around.parent.node, ast.ClassDef))
        ):
            continue
        reader = class_of_instance(node.value, scope)
        if reader is not None and owner is not None and reader.node is owner.node:
            return node
    return None
