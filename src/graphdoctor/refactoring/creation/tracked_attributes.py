"""A table or Variable that a module or a cache holds → an attribute of the object that is saved, too."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.bodies import Body, body_around, own_name
from graphdoctor.refactoring.syntax.function_flow import has_attribute
from graphdoctor.refactoring.syntax.resolving import method_of
from graphdoctor.refactoring.syntax.statements import insert_lines_after
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import parameters
from graphdoctor.source.sites import Site

CACHES = ("functools.lru_cache", "functools.cache")


def kept_by_saved(made: Site, method: Function) -> Edit | None:
    """The line of `__init__` that keeps what is made once elsewhere: a global, or what a cache gives.

    `method` is the graph function that is saved with its object. None where the file of the class has no
    name for it.
    """
    home, owner = method.home, method.owner
    init = method_of(owner, "__init__") if owner is not None else None
    held, attribute = _holder(*made)
    if owner is None or not isinstance(init, ast.FunctionDef) or not held:
        return None
    spelled = _spelled_in(home, made[0], held.removesuffix("()"))
    body = Body(home.functions[init])
    this = own_name(body)
    taken = this is None or has_attribute(owner, attribute)
    if spelled is None or taken or isinstance(init.body[-1], ast.Return):
        return None
    call = "()" if held.endswith("()") else ""
    return insert_lines_after(body.home, init.body[-1], f"{this}.{attribute} = {spelled}{call}")


def _holder(module: Module, made: ast.AST) -> tuple[str, str]:
    """What gives the object wherever it is asked for, and a name for it; empty where each time makes one."""
    around = body_around(module, made)
    if around is None:
        named = [
            each.targets[0].id
            for each in module.tree.body
            if isinstance(each, ast.Assign) and each.value is made and isinstance(each.targets[0], ast.Name)
        ]
        once = len(named) == 1 and len(module.walk.root.bindings[named[0]]) == 1
        return (named[0], f"_{named[0].lower().strip('_')}") if once else ("", "")
    function = around.function
    cached = [_is_cache(each, module) for each in function.decorators]
    alone = cached == [True] and function.owner is None and not list(parameters(function.node))
    at_top = function.placed.scope is module.walk.root
    given = alone and at_top and _gives(around, made)
    return (f"{function.name}()", f"_{function.name.strip('_')}") if given else ("", "")


def _is_cache(decorator: ast.expr, module: Module) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return dotted_name(called, module.walk.root) in CACHES


def _gives(body: Body, made: ast.AST) -> bool:
    """Whether a function returns what is made in it, and nothing else."""
    values = [each.value for each in body.function.returns]
    if len(values) != 1 or values[0] is None:
        return False
    if values[0] is made:
        return True
    bound = body.scope.bindings.get(values[0].id, []) if isinstance(values[0], ast.Name) else []
    return len(bound) == 1 and bound[0].value is made


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
