"""A call whose result is dropped → one whose result is kept."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.bodies import Body, body_around
from graphdoctor.source.calls import receiver_text
from graphdoctor.source.module import Module


def kept_result(module: Module, call: ast.AST) -> Edit | None:
    """`array.write(…)` as `array = array.write(…)`; None where the function around has no use of it."""
    name = receiver_text(module, call)
    body = body_around(module, call)
    if not name.isidentifier() or (body is not None and not _can_keep(body, name)):
        return None
    return module.insert_before(call, f"{name} = ")


def _can_keep(body: Body, name: str) -> bool:
    """Whether a name is the function's own; one that its caller gave has to be used in it, or handed back."""
    node = body.function.node
    names = [each for each in ast.walk(node) if isinstance(each, ast.Name) and each.id == name]
    if any(isinstance(each.ctx, ast.Store) for each in names):
        return True
    given = name in {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
    return given and not all(_is_dropped(body, each) for each in names)


def _is_dropped(body: Body, name: ast.Name) -> bool:
    """Whether a name stands in `name.method(…)`, of which nothing is kept."""
    attribute = body.parents.get(name)
    call = body.parents.get(attribute) if isinstance(attribute, ast.Attribute) else None
    return isinstance(call, ast.Call) and isinstance(body.parents.get(call), ast.Expr)
