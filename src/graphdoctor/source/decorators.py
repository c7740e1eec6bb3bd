"""Edits of the `tf.function` that makes a function a graph function."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.functions import TF_FUNCTION, TracedFunction
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name


def add_option(module: Module, traced: TracedFunction, option: str) -> Edit | None:
    """The edit that adds `option=value` to the decorator; None when it is not written here."""
    decorator = traced.decorator
    if decorator is None:
        return None
    scope = traced.function.placed.scope
    if isinstance(decorator, ast.Call):
        if dotted_name(decorator.func, scope) != TF_FUNCTION:
            return None
        separator = ", " if decorator.args or decorator.keywords else ""
        text = module.source_of(decorator)
        return module.replace(decorator, f"{text[:-1].rstrip().rstrip(',')}{separator}{option})")
    if dotted_name(decorator, scope) != TF_FUNCTION:
        return None
    return module.replace(decorator, f"{module.source_of(decorator)}({option})")
