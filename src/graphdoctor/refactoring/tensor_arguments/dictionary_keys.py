"""A text that a graph function takes only to find something in a dict → what is found, as a tensor."""

import ast
import dataclasses
from collections.abc import Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.graph_functions import decorator_of, has_option
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.source.calls import bind_arguments
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.resolving import called_function, calls_of
from graphdoctor.source.scopes import parameters
from graphdoctor.source.surroundings import Body, own_name

DEPTH = 3


@dataclasses.dataclass(slots=True)
class _Followed:
    """The attributes that are asked with a key on its way, and the edits that take it for what is found.

    `what` is found there: a `phone` becomes a `phone_row`.
    """

    what: str = "found"
    asked: set[str] = dataclasses.field(default_factory=set)
    edits: list[Edit] = dataclasses.field(default_factory=list)


def found_by_caller(modules: Sequence[Module], method: Function, key: str) -> tuple[Edit, ...] | None:
    """The edits that let the callers of a method look up `self.rows[key]`, and give it what they find.

    None where the key is used for anything else on its way through methods of the same object.
    """
    decorator, found = decorator_of(method), _Followed()
    if method.owner is None or decorator is None or has_option(decorator, "input_signature"):
        return None
    if not _follow(modules, method, key, found, DEPTH) or len(found.asked) != 1:
        return None
    found = _Followed(what=min(found.asked).strip("_").removesuffix("s"))
    if not _follow(modules, method, key, found, DEPTH):
        return None
    calls, edits = list(calls_of(modules, method)), found.edits
    for module, call in calls:
        given = bind_arguments(call, method).get(key) if call is not None else None
        tensorflow = tensorflow_at(module, module.scope_at(call)) if call is not None else None
        if call is None or given not in call.args or given is None or tensorflow is None:
            return None
        assert isinstance(call.func, ast.Attribute)
        asked = f"{module.source_of(call.func.value)}.{min(found.asked)}[{module.source_of(given)}]"
        edits += [module.replace(given, f"{tensorflow[0]}.constant({asked})"), *tensorflow[1]]
    return tuple(dict.fromkeys(edits)) if calls else None


def _follow(modules: Sequence[Module], function: Function, key: str, found: _Followed, depth: int) -> bool:
    """Whether a parameter only asks an attribute, here and in the methods that it is given to."""
    body, module, name = Body(function), function.home, f"{key}_{found.what}"
    this, given = own_name(body), next((p for p in parameters(function.node) if p.arg == key), None)
    bound = function.scope.bindings.get(key, [])
    if (
        given is None
        or this is None
        or len(bound) != 1
        or function.scope.lookup(name) is not None
        or not depth
    ):
        return False
    found.edits.append(module.replace(given, name))
    for use in ast.walk(function.node):
        if not isinstance(use, ast.Name) or use.id != key:
            continue
        around = body.parents[use]
        if isinstance(around, ast.Subscript) and around.slice is use:
            if not isinstance(around.value, ast.Attribute) or ast.unparse(around.value.value) != this:
                return False
            found.asked.add(around.value.attr)
            found.edits.append(module.replace(around, name))
        elif isinstance(around, ast.Call) and use in around.args:
            if not _follow_into(modules, around, use, function, found, depth - 1):
                return False
            found.edits.append(module.replace(use, name))
        else:
            return False
    return True


def _follow_into(
    modules: Sequence[Module], call: ast.Call, use: ast.Name, caller: Function, found: _Followed, depth: int
) -> bool:
    """The same for a method that the key is given to, which nothing else calls."""
    helper = called_function(call, caller.scope)
    if helper is None or helper.owner is None or helper.owner is not caller.owner:
        return False
    if [each for _, each in calls_of(modules, helper)] != [call]:
        return False
    bound = bind_arguments(call, helper)
    key = next((parameter for parameter, given in bound.items() if given is use), None)
    return key is not None and _follow(modules, helper, key, found, depth)
