"""A list of equal tensors that is given to a graph function → one tensor, with the list as its first axis."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.graph_functions import add_option
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name, module_alias


def stacked(module: Module, given: ast.expr, function: Function, parameter: str) -> tuple[Edit, ...] | None:
    """The edits that stack a list at the call, and read it as a tensor in the function."""
    found = tensorflow_at(module, module.scope_at(given))
    option = add_option(function, "reduce_retracing=True")
    inside = _read_as_tensor(function, parameter)
    if found is None or option is None or inside is None:
        return None
    tensorflow, imports = found
    text = f"{tensorflow}.stack({module.source_of(given)})"
    return (option, *inside, module.replace(given, text), *imports)


def _read_as_tensor(function: Function, parameter: str) -> list[Edit] | None:
    """What each use of the list becomes; None where one of them needs a list."""
    module, scope = function.home, function.scope
    tensorflow = module_alias("tensorflow", scope)
    parents = {child: node for node in ast.walk(function.node) for child in ast.iter_child_nodes(node)}
    edits: list[Edit] = []
    for use in ast.walk(function.node):
        if not isinstance(use, ast.Name) or use.id != parameter:
            continue
        user = parents.get(use)
        if tensorflow is None or not isinstance(use.ctx, ast.Load):
            return None
        if isinstance(user, ast.For) and user.iter is use:
            continue
        if isinstance(user, ast.Subscript) and user.value is use:
            continue
        if not isinstance(user, ast.Call) or user.args[:1] != [use]:
            return None
        text = _as_tensor(user, dotted_name(user.func, scope), parameter, tensorflow)
        if text is None:
            return None
        edits.append(module.replace(user, text))
    return edits


def _as_tensor(call: ast.Call, name: str | None, parameter: str, tensorflow: str) -> str | None:
    if len(call.args) != 1 or any(keyword.arg != "axis" for keyword in call.keywords):
        return None
    if call.keywords:
        return (
            parameter if name == "tensorflow.stack" and ast.unparse(call.keywords[0].value) == "0" else None
        )
    return {
        "tensorflow.add_n": f"{tensorflow}.reduce_sum({parameter}, axis=0)",
        "builtins.sum": f"{tensorflow}.reduce_sum({parameter}, axis=0)",
        "builtins.len": f"{tensorflow}.shape({parameter})[0]",
        "builtins.reversed": f"{parameter}[::-1]",
        "tensorflow.stack": parameter,
        "tensorflow.convert_to_tensor": parameter,
        "tensorflow.constant": parameter,
    }.get(name or "")
