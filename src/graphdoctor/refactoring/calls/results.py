"""Keep the result of a call that is dropped; return what a function computes."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.calls import called_name, receiver_text
from graphdoctor.source.def_use import Access, Kind, Use
from graphdoctor.source.module import Module
from graphdoctor.source.resolving import def_use
from graphdoctor.source.surroundings import Body, body_around


def kept_result(module: Module, call: ast.AST) -> Edit | None:
    """`array.write(…)` as `array = array.write(…)`; None where the function around has no use of it."""
    name = receiver_text(module, call)
    body = body_around(module, call)
    if not name.isidentifier() or (body is not None and not _can_keep(body, name)):
        return None
    return module.insert_before(call, f"{name} = ")


def _can_keep(body: Body, name: str) -> bool:
    """Whether a name is the function's own; one that its caller gave has to be used in it, or handed back."""
    uses = def_use(body.home, body.function.node)
    own = [each.kind for each in body.scope.bindings.get(name, ())]
    if own and own != ["parameter"]:
        return True
    return bool(own) and not all(_is_dropped(body, one) for one in uses.of(name, Kind.READ))


def _is_dropped(body: Body, read: Access) -> bool:
    """Whether a name stands in `name.method(…)`, of which nothing is kept."""
    method = body.parents.get(read.node) if read.use is Use.METHOD else None
    call = body.parents.get(method) if method is not None else None
    return call is not None and isinstance(body.parents.get(call), ast.Expr)


def return_last(module: Module, node: ast.AST) -> Edit | None:
    """`return` before the last line of the one function that a call's arguments go through, and lose."""
    names = {
        getattr(part.func, "attr", getattr(part.func, "id", ""))
        for part in ast.walk(node)
        if isinstance(part, ast.Call) and part is not node
    }
    losing = [each for each in module.functions.values() if each.name in names and not each.returns]
    block = getattr(losing[0].node, "body", []) if len(losing) == 1 else []
    last = block[-1] if isinstance(block, list) and block else None
    value = last.value if isinstance(last, ast.Expr) else None
    computes = value is not None and called_name(value, losing[0].scope).startswith("tensorflow.")
    return module.insert_before(value, "return ") if value is not None and computes else None
