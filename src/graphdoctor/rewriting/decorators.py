"""Edits of the `tf.function` that makes a function a graph function."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.functions import Function
from graphdoctor.source.names import dotted_name

TF_FUNCTION = "tensorflow.function"


def add_option(function: Function, option: str) -> Edit | None:
    """The edit that adds `option=value` to the decorator; None when it is not written here."""
    module, scope = function.home, function.placed.scope
    for decorator in getattr(function.node, "decorator_list", []):
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if dotted_name(called, scope) != TF_FUNCTION:
            continue
        text = module.source_of(decorator)
        if not isinstance(decorator, ast.Call):
            return module.replace(decorator, f"{text}({option})")
        separator = ", " if decorator.args or decorator.keywords else ""
        return module.replace(decorator, f"{text[:-1].rstrip().rstrip(',')}{separator}{option})")
    return None
