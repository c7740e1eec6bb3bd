"""An object that each call makes again for a graph function → one for each set of arguments."""

import ast
from collections.abc import Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.creation.inner_functions import remembered
from graphdoctor.refactoring.creation.shared_instances import class_remembered, never_changes
from graphdoctor.refactoring.syntax.function_flow import accesses_of, changes
from graphdoctor.refactoring.syntax.resolving import called_function, definition_of
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

PURE = {
    f"builtins.{name}"
    for name in (
        *("len", "min", "max", "sum", "abs", "round", "sorted", "reversed", "range", "enumerate", "zip"),
        *("dict", "list", "tuple", "set", "int", "float", "str", "bool", "any", "all", "next", "iter"),
    )
}
PURE_METHODS = ("get", "items", "keys", "values", "index", "count", "lower", "upper", "split", "copy")
NUMBERS = ("builtins.int", "builtins.float", "builtins.str", "builtins.bool", "builtins.len")
BINDS = ("import", "function", "class", "value")
LEFT = (
    ast.Yield,
    ast.YieldFrom,
    ast.Await,
    ast.Global,
    ast.Nonlocal,
    ast.Try,
    ast.With,
    ast.Raise,
    ast.Delete,
)


def made_once_for_each(modules: Sequence[Module], module: Module, given: ast.expr) -> tuple[Edit, ...] | None:
    """The edits that let the class, or the function that makes the object, remember what it made.

    None where objects may be changed, or a function may make another one of the same arguments.
    """
    call = making_of(module, given)
    if call is None:
        return None
    scope = module.scope_at(call)
    owner = _class_of(call, scope)
    if owner is not None:
        placed = next((each for each in module.walk.calls if each.node is call), None)
        same = placed is not None and never_changes(modules, *owner)
        return class_remembered(module, call, placed) if same and placed is not None else None
    factory = called_function(call, scope)
    if factory is None or factory.owner is not None or not _is_pure(modules, factory):
        return None
    return remembered(factory)


def making_of(module: Module, given: ast.expr) -> ast.Call | None:
    """The call that makes an argument, where it is written, or where its one name gets it."""
    if isinstance(given, ast.Call):
        return given
    found = module.scope_at(given).lookup(given.id) if isinstance(given, ast.Name) else None
    bound = found[1][0] if found is not None and len(found[1]) == 1 else None
    value = bound.value if bound is not None and bound.kind == "value" and bound.index is None else None
    return value if isinstance(value, ast.Call) else None


def is_made_of_numbers(module: Module, given: ast.expr) -> bool:
    """Whether the source shows that all that makes an object can be looked up: numbers and texts."""
    call = making_of(module, given)
    if call is None:
        return False
    values = [*call.args, *(each.value for each in call.keywords)]
    return all(_is_number(each, module.scope_at(call)) for each in values)


def _is_number(node: ast.expr, scope: Scope) -> bool:
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Call):
        return dotted_name(node.func, scope) in NUMBERS
    found = scope.lookup(node.id) if isinstance(node, ast.Name) else None
    for each in found[1] if found is not None else ():
        called = dotted_name(each.value.func, scope) if isinstance(each.value, ast.Call) else None
        counted = called == "builtins.range" or (called == "builtins.enumerate" and each.index == 0)
        if not (each.kind == "item" and counted) and not (
            each.kind == "value" and each.value is not None and isinstance(each.value, ast.Constant)
        ):
            return False
    return found is not None


def _class_of(call: ast.Call, scope: Scope) -> tuple[Module, ast.ClassDef] | None:
    found = definition_of(call.func.id, scope) if isinstance(call.func, ast.Name) else None
    return (found[0], found[1]) if found is not None and isinstance(found[1], ast.ClassDef) else None


def _is_pure(modules: Sequence[Module], factory: Function) -> bool:
    """Whether a function makes an object that never changes, of its arguments and of what nobody changes."""
    scope, node = factory.scope, factory.node
    returned = [making_of(factory.home, each.value) if each.value else None for each in factory.returns]
    made = [_class_of(each, scope) if each is not None else None for each in returned]
    if not made or any(each is None or not never_changes(modules, *each) for each in made):
        return False
    body = node.body if isinstance(node.body, list) else [node.body]
    parts = [part for statement in body for part in ast.walk(statement)]
    return all(_is_harmless(modules, part, scope) for part in parts)


def _is_harmless(modules: Sequence[Module], part: ast.AST, scope: Scope) -> bool:
    if isinstance(part, LEFT):
        return False
    if isinstance(part, ast.Attribute | ast.Subscript) and not isinstance(part.ctx, ast.Load):
        return False
    if isinstance(part, ast.Call):
        asked = isinstance(part.func, ast.Attribute) and part.func.attr in PURE_METHODS
        return asked or dotted_name(part.func, scope) in PURE or _class_of(part, scope) is not None
    if isinstance(part, ast.Attribute):
        found = scope.lookup(part.value.id) if isinstance(part.value, ast.Name) else None
        imported = found is not None and [each.kind for each in found[1]] == ["import"]
        return part.attr in PURE_METHODS or (imported and not _is_changed(modules, part.attr))
    if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
        found = scope.lookup(part.id)
        if found is None or found[0].within(scope):
            return True
        once = len(found[1]) == 1 and found[1][0].kind in BINDS and isinstance(found[0].node, ast.Module)
        return once and not _is_changed(modules, part.id)
    return True


def _is_changed(modules: Sequence[Module], name: str) -> bool:
    """Whether anything in the project changes what has this name, after it was made."""
    return any(changes(one) for _, one in accesses_of(modules, (name,)))
