"""Options of `tf.function` that are better left out, and decorators."""

import ast

from graphdoctor.model import Edit
from graphdoctor.rewriting.decorators import TF_FUNCTION
from graphdoctor.source.functions import Function
from graphdoctor.source.names import dotted_name, module_alias


def without_option(function: Function, option: str) -> Edit | None:
    """The decorator without an option; None where the function is not decorated here."""
    module, scope = function.home, function.placed.scope
    for decorator in getattr(function.node, "decorator_list", []):
        if not isinstance(decorator, ast.Call) or dotted_name(decorator.func, scope) != TF_FUNCTION:
            continue
        kept = [module.source_of(each) for each in (*decorator.args, *decorator.keywords)
                if getattr(each, "arg", None) != option]  # fmt: skip
        if len(kept) == len(decorator.args) + len(decorator.keywords):
            return None
        options = f"({', '.join(kept)})" if kept else ""
        return module.replace(decorator, f"{module.source_of(decorator.func)}{options}")
    return None


def without_decorator(function: Function, name: str) -> Edit | None:
    """The function without a decorator, with its line."""
    module, scope = function.home, function.placed.scope
    for decorator in getattr(function.node, "decorator_list", []):
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if dotted_name(called, scope) == name:
            return module.replace_lines(decorator.lineno, decorator.end_lineno or decorator.lineno, "")
    return None


def decorated(function: Function) -> Edit | None:
    """`@tf.function` on a function that has no decorator yet."""
    node, module = function.node, function.home
    tensorflow = module_alias("tensorflow", module.walk.root)
    if tensorflow is None or not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return None
    indent = module.lines[node.lineno - 1][: node.col_offset]
    return module.insert(node.lineno, 1, f"{indent}@{tensorflow}.function\n") if not indent.strip() else None
