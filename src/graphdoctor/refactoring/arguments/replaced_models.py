"""A model that another one replaces in an attribute → an argument of the graph function that uses it."""

import ast
from collections.abc import Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.bodies import Body, own_name
from graphdoctor.refactoring.syntax.graph_functions import decorator_of, has_option
from graphdoctor.refactoring.syntax.parameters import one_more_argument, one_more_parameter
from graphdoctor.refactoring.syntax.resolving import calls_of
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module


def passed(modules: Sequence[Module], method: Function, attribute: str) -> tuple[Edit, ...] | None:
    """The edits that give `self.opponent` to a decorated method at each call, in place of its own reading.

    A graph function keeps one trace for each object that it is given. None unless every use of the method is
    a call on an object of its class.
    """
    this, home, owner = own_name(Body(method)), method.home, method.owner
    decorator = decorator_of(method)
    if this is None or owner is None or decorator is None or has_option(decorator, "input_signature"):
        return None
    reads = [
        part
        for part in ast.walk(method.node)
        if isinstance(part, ast.Attribute) and ast.unparse(part) == f"{this}.{attribute}"
    ]
    stored = any(not isinstance(each.ctx, ast.Load) for each in reads)
    if not reads or stored or method.scope.lookup(attribute) is not None:
        return None
    calls = list(calls_of(modules, method))
    edits = [one_more_parameter(method, attribute), *(home.replace(each, attribute) for each in reads)]
    for module, call in calls:
        holder = call.func.value if call is not None and isinstance(call.func, ast.Attribute) else None
        if call is None or holder is None:
            return None
        value = f"{module.source_of(holder)}.{attribute}"
        edits.append(one_more_argument(module, call, attribute, value))
    known = tuple(edit for edit in edits if edit is not None)
    return known if calls and len(known) == len(edits) else None
