"""Keep the result of a call that is dropped; return what a function computes."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.bodies import Body, body_around
from graphdoctor.source.calls import receiver_text
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name


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


def return_last(module: Module, node: ast.AST) -> Edit | None:
    """`return` before the last line of the one function that a call's arguments go through, and lose."""
    called = {
        getattr(part.func, "attr", getattr(part.func, "id", ""))
        for part in ast.walk(node)
        if isinstance(part, ast.Call) and part is not node
    }
    losing = [
        function
        for function in module.functions.values()
        if function.name in called and isinstance(function.node, ast.FunctionDef) and not function.returns
    ]
    last = losing[0].node.body[-1] if len(losing) == 1 and isinstance(losing[0].node.body, list) else None
    value = last.value if isinstance(last, ast.Expr) else None
    if not isinstance(value, ast.Call):
        return None
    computes = (dotted_name(value.func, losing[0].scope) or "").startswith("tensorflow.")
    return module.insert_before(value, "return ") if computes else None
