"""What names, attributes and calls stand for, and the def-use of the function around a node."""

import ast
from collections.abc import Container, Iterable, Iterator

from graphdoctor.source.calls import has_stars
from graphdoctor.source.def_use import Access, DefUse, Kind, Use
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Binding, Scope
from graphdoctor.source.surroundings import parents_of

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


def init_of(owner: ast.ClassDef | None) -> ast.FunctionDef | None:
    """The `__init__` of a class."""
    found = method_of(owner, "__init__") if owner is not None else None
    return found if isinstance(found, ast.FunctionDef) else None


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


def calls_of(modules: Iterable[Module], function: Function) -> Iterator[tuple[Module, ast.Call | None]]:
    """The calls of a function by its name, or of a method on objects of its class; None for any other use."""
    for module in modules:
        called = {each.node.func: each for each in module.walk.calls if isinstance(each.node, ast.Call)}
        for part in _naming(module, function):
            placed = called.get(part) if isinstance(part, ast.expr) else None
            call = placed.node if placed is not None and isinstance(placed.node, ast.Call) else None
            if function.owner is None:
                found = called_function(call, placed.scope) if placed is not None and call else None
                if found is not None and found.node is not function.node:
                    continue
                own = found is not None
            else:
                holder = getattr(part, "value", None)
                own = placed is not None and is_object_of(holder, placed.scope, function.owner)
            yield module, call if own and call is not None and not has_stars(call) else None


def _naming(module: Module, function: Function) -> list[ast.AST]:
    """Where a module names a function, or renames it; of a method, where it asks an object for it."""
    uses, name = list(uses_of([module], function.name)), function.name
    if function.owner is not None:
        return [each for each in uses if isinstance(each, ast.Attribute)]
    parts = ast.walk(module.tree) if name in module.text else ()
    renamed = [each for each in parts if isinstance(each, ast.alias) and each.name == name and each.asname]
    return [*uses, *renamed]


def is_object_of(holder: ast.AST | None, scope: Scope, owner: ast.ClassDef) -> bool:
    """Whether a name stands for an object of a class: `self` in it, or what the class was called for."""
    found = scope.lookup(holder.id) if isinstance(holder, ast.Name) else None
    if found is None or len(found[1]) != 1:
        return False
    home, (binding,) = found
    if binding.kind == "parameter":
        method = home.home.functions.get(home.node) if home.home is not None else None
        return method is not None and method.owner is owner and method.receiver == binding.name
    made = binding.value if binding.index is None else None
    named = made.func if isinstance(made, ast.Call) else None
    defined = definition_of(named.id, home) if isinstance(named, ast.Name) else None
    return defined is not None and defined[1] is owner


def base_names(owner: ast.ClassDef, scope: Scope) -> Iterator[str]:
    """The dotted names of what a class inherits, through classes of the project."""
    waiting, seen = [(owner, scope)], {owner}
    while waiting:
        each, around_it = waiting.pop()
        for base in each.bases:
            yield dotted_name(base, around_it) or ""
            found = definition_of(base.id, around_it) if isinstance(base, ast.Name) else None
            if found is not None and isinstance(found[1], ast.ClassDef) and found[1] not in seen:
                seen.add(found[1])
                waiting.append((found[1], found[0].walk.root))


def call_of(module: Module, node: ast.AST) -> ast.Call | None:
    """The call of what an expression gives; None for any other use of it."""
    call = parents_of(module).get(node)
    return call if isinstance(call, ast.Call) and call.func is node else None


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


HOLDERS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Module)
ASSIGNING = ("assign", "assign_add", "assign_sub")  # of a Variable
NAMING = ("id", "attr", "name", "asname", "arg")  # the fields of syntax nodes that hold a name


class _Known(dict[ast.AST, DefUse]):
    """Those of one module, by their function."""


def def_use(module: Module, owner: ast.AST) -> DefUse:
    """The def-use of a function, class body or module."""
    known = module.attached.setdefault(_Known, _Known())
    assert isinstance(known, _Known)
    if owner not in known:
        known[owner] = DefUse(owner)
    return known[owner]


def def_use_around(module: Module, node: ast.AST) -> DefUse:
    """That of what a node is run by: the innermost function or class around it, or the module."""
    scope = module.scope_at(node)
    while scope.parent is not None and (scope.node is node or not isinstance(scope.node, HOLDERS)):
        scope = scope.parent
    return def_use(module, scope.node)


def accesses_of(modules: Iterable[Module], names: Container[str]) -> Iterator[tuple[Module, Access]]:
    """The accesses of what has one of these names, or is an attribute of this name, anywhere."""
    for module in modules:
        for owner in (module.tree, *module.functions, *_classes(module)):
            for access in def_use(module, owner).all():
                last = access.place.removesuffix("[]").rpartition(".")[2]
                if last in names and access.nested is None:
                    yield module, access


def changes(access: Access) -> bool:
    """Whether an access gives an attribute another value, or what is there another content."""
    if access.kind is Kind.READ:
        return access.use is Use.METHOD and access.method in ASSIGNING
    return access.kind is Kind.CHANGE or not access.place.isidentifier()


def _classes(module: Module) -> list[ast.ClassDef]:
    return [part for part in ast.walk(module.tree) if isinstance(part, ast.ClassDef)]


def has_name(module: Module, name: str) -> bool:
    """Whether anything in a module has this name: a name, an attribute, a definition, a parameter."""
    return any(getattr(part, field, "") == name for part in ast.walk(module.tree) for field in NAMING)


def has_attribute(owner: ast.AST, name: str) -> bool:
    """Whether a class, or a method of it, names an attribute so."""
    return any(isinstance(part, ast.Attribute) and part.attr == name for part in ast.walk(owner))
