"""What names, attributes and calls stand for, as far as the text alone tells."""

import ast
from collections.abc import Iterable, Iterator

from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.scopes import Binding, Scope

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def bindings_of(name: str, scope: Scope) -> tuple[Scope, list[Binding]] | None:
    """What gives a name its values, also in another module of the project that it is imported from."""
    found = scope.lookup(name)
    if found is None:
        return None
    home, bindings = found
    if len(bindings) == 1 and bindings[0].kind == "import" and home.home is not None:
        elsewhere = home.home.project.find(bindings[0].target, home.home)
        return (elsewhere.scope, elsewhere.bindings) if elsewhere is not None and not elsewhere.rest else None
    return found


def only_value(node: ast.AST | None, scope: Scope) -> ast.expr | None:
    """What the one assignment of a name gives it; None for what is no such name."""
    bound = scope.only(node.id) if isinstance(node, ast.Name) else None
    return bound.value if bound is not None and bound.kind == "value" and bound.index is None else None


def definition_of(name: str, scope: Scope) -> tuple[Module, ast.AST] | None:
    """The one function or class that a name stands for."""
    found = bindings_of(name, scope)
    if found is None or len(found[1]) != 1 or found[1][0].kind not in ("function", "class"):
        return None
    module = found[0].home
    return (module, found[1][0].node) if module is not None else None


def called_function(call: ast.Call, scope: Scope) -> Function | None:
    """The function of the project that a call runs: by its name, or a method called on `self`."""
    target = call.func
    if isinstance(target, ast.Name):
        found = definition_of(target.id, scope)
        return found[0].functions.get(found[1]) if found is not None else None
    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
        owner = class_around(scope)
        method = method_of(owner, target.attr) if owner is not None else None
        home = scope.home
        return home.functions.get(method) if method is not None and home is not None else None
    return None


def class_around(scope: Scope | None) -> ast.ClassDef | None:
    """The class whose method a scope is, or is inside of."""
    while scope is not None and not isinstance(scope.node, ast.ClassDef):
        scope = scope.parent
    return scope.node if scope is not None and isinstance(scope.node, ast.ClassDef) else None


def method_of(owner: ast.ClassDef, name: str) -> ast.AST | None:
    """A method of a class by its name."""
    return next((n for n in owner.body if isinstance(n, DEFINITIONS) and n.name == name), None)


def attribute_values(owner: ast.ClassDef, name: str) -> list[ast.expr]:
    """The values that a class gives one of its attributes, in its body and in its methods."""
    found: list[ast.expr] = []
    for target, value in _assignments(owner):
        own = isinstance(target, ast.Attribute) and target.attr == name and is_self(target.value)
        if own or (isinstance(target, ast.Name) and target.id == name and _is_in_body(owner, target)):
            found.append(value)
    return found


def uses_of(modules: Iterable[Module], name: str) -> Iterator[ast.AST]:
    """Where a name, or an attribute of that name, is read."""
    for module in modules:
        for part in ast.walk(module.tree) if name in module.text else ():
            named = isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load)
            if named or (isinstance(part, ast.Attribute) and part.attr == name):
                yield part


def is_self(node: ast.AST) -> bool:
    """Whether an expression is `self`."""
    return isinstance(node, ast.Name) and node.id == "self"


def _assignments(owner: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    for node in ast.walk(owner):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield target, node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            yield node.target, node.value


def _is_in_body(owner: ast.ClassDef, target: ast.AST) -> bool:
    targets = (
        each
        for statement in owner.body
        for each in (getattr(statement, "targets", None) or [getattr(statement, "target", None)])
    )
    return any(each is target for each in targets)
