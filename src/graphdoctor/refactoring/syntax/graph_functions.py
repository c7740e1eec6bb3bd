"""Edits of the `tf.function` that makes a function a graph function."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name, module_alias
from graphdoctor.source.scopes import Scope

TF_FUNCTION = "tensorflow.function"


def add_option(
    function: Function | None, option: str, made: tuple[Module, ast.AST] | None = None
) -> Edit | None:
    """The edit that adds `option=value` where a graph function is made; None when that is not written.

    That is the decorator, or the call of `tf.function`: the one at `made`, or the only one for the function.
    """
    if made is not None and isinstance(made[1], ast.Call) and _is_tf_function(made[1].func, made):
        return added(made[0], made[1], option)
    if function is None:
        return None
    decorator = decorator_of(function)
    if decorator is not None:
        return added(function.home, decorator, option)
    call = wrapping_of(function)
    return added(function.home, call, option) if call is not None else None


def tensorflow_of(function: Function | None, made: tuple[Module, ast.AST] | None) -> str | None:
    """The name of TensorFlow where the graph function is made."""
    if made is not None:
        return module_alias("tensorflow", made[0].scope_at(made[1]))
    return module_alias("tensorflow", function.placed.scope) if function is not None else None


def decorator_of(function: Function) -> ast.expr | None:
    """The decorator that makes a function a graph function."""
    for decorator in getattr(function.node, "decorator_list", []):
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if dotted_name(called, function.placed.scope) == TF_FUNCTION:
            assert isinstance(decorator, ast.expr)
            return decorator
    return None


def has_option(decorator: ast.expr, option: str) -> bool:
    """Whether a decorator is given an option, also through `functools.partial`."""
    return any(isinstance(part, ast.keyword) and part.arg == option for part in ast.walk(decorator))


def wrapping_of(function: Function) -> ast.Call | None:
    """The only `tf.function(…)` of the file that is given this function."""
    found = [
        placed.node
        for placed in function.home.walk.calls
        if isinstance(placed.node, ast.Call)
        and placed.node.args
        and _is_of(placed.node.args[0], function, placed.scope)
        and dotted_name(placed.node.func, placed.scope) == TF_FUNCTION
    ]
    return found[0] if len(found) == 1 else None


def _is_of(given: ast.expr, function: Function, scope: Scope) -> bool:
    if given is function.node:
        return True
    if isinstance(given, ast.Attribute):
        return given.attr == function.name and function.owner is not None
    found = scope.lookup(given.id) if isinstance(given, ast.Name) else None
    return found is not None and any(binding.node is function.node for binding in found[1])


def _is_tf_function(called: ast.expr, made: tuple[Module, ast.AST]) -> bool:
    return dotted_name(called, made[0].scope_at(made[1])) == TF_FUNCTION


def added(module: Module, maker: ast.expr, option: str) -> Edit | None:
    """The edit that adds an option to a call, or to a decorator without a call; None where it is given."""
    text = module.source_of(maker)
    if not isinstance(maker, ast.Call):
        return module.replace(maker, f"{text}({option})")
    if any(keyword.arg == option.partition("=")[0] for keyword in maker.keywords):
        return None
    separator = ", " if maker.args or maker.keywords else ""
    if text[-2] not in ", \t\n":  # what is inside may be edited as well
        span = module.span(maker)
        line = module.text_line(span) + span.end_line - span.line
        return module.insert(line, span.end_column - 1, f"{separator}{option}")
    return module.replace(maker, f"{text[:-1].rstrip().rstrip(',')}{separator}{option})")
