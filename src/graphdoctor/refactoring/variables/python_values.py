"""Whether code that Keras calls as it is needs the Python value of a state, which no Variable gives it."""

import ast

from graphdoctor.refactoring.wrappers.conditions import is_given_a_variable
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.resolving import base_names
from graphdoctor.source.surroundings import stored_in

PYTHONS = {f"builtins.{name}" for name in ("min", "max", "int", "float", "round", "range", "bool", "str")}


def needs_python_value(module: Module, node: ast.AST, by_keras: bool) -> bool:
    """Whether a test, or a function of Python's, asks for a state in code that AutoGraph does not convert.

    `by_keras`: the graph is one that Keras makes. Schedules and the like it always calls itself.
    """
    around = module.scope_at(node).function
    function = module.functions.get(around.node) if around is not None else None
    if function is None or module.keras_generation == 2:
        return False
    return (by_keras or _is_of_keras(function)) and _is_asked(function, ast.unparse(stored_in(node)))


def _is_of_keras(function: Function) -> bool:
    names = base_names(function.owner, function.home.walk.root) if function.owner is not None else ()
    return is_given_a_variable(function) and any(each.startswith("keras.") for each in names)


def _is_asked(function: Function, state: str) -> bool:
    """Whether the state, or what is computed of it, goes into a test, `min` or `math.cos`."""
    derived, parts = {state}, list(ast.walk(function.node))
    for _ in parts:
        found = {
            ast.unparse(target)
            for each in parts
            if isinstance(each, ast.Assign) and _mentions(each.value, derived)
            for target in each.targets
        }
        if found <= derived:
            break
        derived |= found
    for part in parts:
        test = getattr(part, "test", None)
        if isinstance(test, ast.expr) and _mentions(test, derived):
            return True
        name = dotted_name(part.func, function.scope) if isinstance(part, ast.Call) else None
        python = name is not None and (name in PYTHONS or name.startswith("math."))
        if python and isinstance(part, ast.Call) and any(_mentions(each, derived) for each in part.args):
            return True
    return False


def _mentions(node: ast.AST, names: set[str]) -> bool:
    parts = (each for each in ast.walk(node) if isinstance(each, ast.Name | ast.Attribute))
    return any(ast.unparse(each) in names for each in parts)
