"""The def-use of the function around a node, made once for each module."""

import ast
from collections.abc import Container, Iterable, Iterator

from graphdoctor.source.def_use import Access, DefUse, Kind, Use
from graphdoctor.source.module import Module

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
