"""A table or Variable that a module or a cache holds → an attribute of the object that is saved, too."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.statements import insert_lines_after
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.resolving import has_attribute, init_of, only_value
from graphdoctor.source.scopes import parameters
from graphdoctor.source.sites import Site
from graphdoctor.source.surroundings import body_around, name_given, statement_around

CACHES = ("functools.lru_cache", "functools.cache")


def kept_by_saved(made: Site, method: Function) -> Edit | None:
    """The line of `__init__` that keeps what is made once elsewhere: a global, or what a cache gives.

    `method` is the graph function that is saved with its object. None where the file of the class has no
    name for it.
    """
    home, owner, init = method.home, method.owner, init_of(method.owner)
    held, attribute = _holder(*made)
    if owner is None or init is None or not held or has_attribute(owner, attribute):
        return None
    spelled, this = _spelled_in(home, made[0], held.removesuffix("()")), home.functions[init].receiver
    if spelled is None or not this or isinstance(init.body[-1], ast.Return):
        return None
    call = "()" if held.endswith("()") else ""
    return insert_lines_after(home, init.body[-1], f"{this}.{attribute} = {spelled}{call}")


def _holder(module: Module, made: ast.AST) -> tuple[str, str]:
    """What gives the object wherever it is asked for, and a name for it; empty where each time makes one."""
    around = body_around(module, made)
    if around is None:
        name = name_given(statement_around(module, made), made)
        once = len(module.walk.root.bindings.get(name, ())) == 1
        return (name, f"_{name.lower().strip('_')}") if once else ("", "")
    function = around.function
    cached = [_is_cache(each, module) for each in function.decorators] == [True]
    alone = cached and function.placed.scope is module.walk.root and not list(parameters(function.node))
    returned = [each.value for each in function.returns]
    given = len(returned) == 1 and (returned[0] is made or only_value(returned[0], around.scope) is made)
    return (f"{function.name}()", f"_{function.name.strip('_')}") if alone and given else ("", "")


def _is_cache(decorator: ast.expr, module: Module) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return dotted_name(called, module.walk.root) in CACHES


def _spelled_in(home: Module, module: Module, name: str) -> str | None:
    """A name at the top of one module, as another one can write it with what it imports."""
    if home is module:
        return name
    for alias, bindings in home.walk.root.bindings.items():
        if len(bindings) != 1 or bindings[0].kind != "import":
            continue
        found = home.project.locate(bindings[0].target, home.path)
        if found is not None and found[0] == module.path and found[1] in ((), (name,)):
            return alias if found[1] else f"{alias}.{name}"
    return None
