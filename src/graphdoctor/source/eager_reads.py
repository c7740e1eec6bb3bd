"""Where code that is not traced reads an attribute that traced code sets or fills."""

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphdoctor.source.bodies import Body
from graphdoctor.source.classes import class_of_instance
from graphdoctor.source.scopes import Scope

if TYPE_CHECKING:
    from graphdoctor.source.module import Module


def eager_reader(module: "Module", body: Body, target: ast.Attribute) -> ast.Attribute | None:
    """A place at the top of the module, or in a plain function, that reads the attribute eagerly."""
    for node, around in _reads(module, body, target):
        if around is None or (around.node not in module.context.bodies and not _is_method(around)):
            return node
    return None


def read_by_its_caller(module: "Module", body: Body, target: ast.Attribute) -> ast.Attribute | None:
    """A place that reads the attribute in a method which is not traced, and calls the traced one."""
    callers = {
        call.scope.function.node
        for call in module.calls
        if call.function.node is body.function.node and call.scope.function is not None
    }
    for node, around in _reads(module, body, target):
        if around is not None and around.node in callers and around.node not in module.context.bodies:
            return node
    return None


def _reads(
    module: "Module", body: Body, target: ast.Attribute
) -> Iterator[tuple[ast.Attribute, Scope | None]]:
    """The reads of the attribute of the same class, with the function around each."""
    owner = class_of_instance(target.value, body.scope)
    for node in module.attribute_reads.get(target.attr, ()) if owner is not None else ():
        scope = module.scope_at(node)
        reader = class_of_instance(node.value, scope)
        if reader is not None and owner is not None and reader.node is owner.node:
            yield node, scope.function


def _is_method(scope: Scope) -> bool:
    return scope.parent is not None and isinstance(scope.parent.node, ast.ClassDef)
