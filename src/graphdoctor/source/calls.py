"""Calls, with the expression given for each parameter."""

import ast

from graphdoctor.model import Span
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.nodes import spelled
from graphdoctor.source.scopes import Scope

# What a call does that only shows something to people: messages, and the names of operations.
MESSAGES = ("print",)
LEVELS = ("debug", "info", "warning", "warn", "error", "log")
NAMING = ("name_scope", "Trace", "StepTraceAnnotation")


def argument_texts(module: Module, call: ast.Call) -> list[str]:
    """What a call gives by position, as the source writes it."""
    return [module.source_of(given) for given in call.args]


def receiver_text(module: Module, node: ast.AST) -> str:
    """What a method is called on, as the source writes it; empty where it is no such call."""
    method = node.func if isinstance(node, ast.Call) else None
    return module.source_of(method.value) if isinstance(method, ast.Attribute) else ""


def method_name(node: ast.AST) -> str:
    """The name of the method that is called; empty where it is no such call."""
    method = node.func if isinstance(node, ast.Call) else None
    return method.attr if isinstance(method, ast.Attribute) else ""


def called_name(node: ast.AST | None, scope: Scope) -> str:
    """The dotted name of what is called; empty where it is unknown, and for what is no call."""
    return (dotted_name(node.func, scope) or "") if isinstance(node, ast.Call) else ""


def all_given(call: ast.Call) -> list[ast.expr]:
    """All that a call is given, by position and by name."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def has_stars(call: ast.Call) -> bool:
    """Whether a call is given any number of arguments by position: `f(*given)`."""
    return any(isinstance(each, ast.Starred) for each in call.args)


def option_span(module: Module, call: ast.Call, name: str) -> Span | None:
    """Where a call gives an option by its name."""
    return next((module.span(keyword) for keyword in call.keywords if keyword.arg == name), None)


def bind_arguments(call: ast.Call, function: Function) -> dict[str, ast.expr]:
    """The expression for each parameter that is given plainly; nothing after a `*` or `**`."""
    names = [a.arg for a in (*function.node.args.posonlyargs, *function.node.args.args)]
    if function.owner is not None and not function.is_static and _is_bound(call, function):
        names = names[1:]
    bound: dict[str, ast.expr] = {}
    for name, value in zip(names, call.args, strict=False):
        if isinstance(value, ast.Starred):
            break
        bound[name] = value
    bound.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg})
    return bound


def _is_bound(call: ast.Call, function: Function) -> bool:
    """False for `Trainer.step(trainer, x)`, where `self` is given by hand."""
    target = call.func
    owner = function.owner
    by_class = (
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and owner is not None
        and target.value.id == owner.name
    )
    return not by_class


def is_for_people(called: ast.expr) -> bool:
    """Whether what this is given is shown while Python runs, and no operation computes anything of it."""
    if isinstance(called, ast.Name):
        return called.id in MESSAGES
    return isinstance(called, ast.Attribute) and (
        called.attr in NAMING or (called.attr in LEVELS and "log" in spelled(called.value).lower())
    )
