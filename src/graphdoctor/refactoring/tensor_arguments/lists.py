"""A list of equal tensors that is given to a graph function → one tensor, with the list as its first axis."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.graph_functions import add_option
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.source.calls import called_name
from graphdoctor.source.def_use import Kind, Use
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import module_alias
from graphdoctor.source.resolving import def_use
from graphdoctor.source.surroundings import parents_of


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
    tensorflow, uses = module_alias("tensorflow", scope), def_use(module, function.node)
    edits: list[Edit] = []
    if tensorflow is None or len(uses.of(parameter, Kind.WRITE)) > 1:
        return None
    for use in uses.of(parameter, Kind.READ):
        user = parents_of(module).get(use.node)
        if (isinstance(user, ast.For) and user.iter is use.node) or use.use is Use.ELEMENT:
            continue
        if not isinstance(user, ast.Call) or user.args[:1] != [use.node]:
            return None
        text = _as_tensor(user, called_name(user, scope), parameter, tensorflow)
        if text is None:
            return None
        edits.append(module.replace(user, text))
    return edits


def _as_tensor(call: ast.Call, name: str | None, parameter: str, tensorflow: str) -> str | None:
    if len(call.args) != 1 or any(keyword.arg != "axis" for keyword in call.keywords):
        return None
    if call.keywords:
        first = isinstance(axis := call.keywords[0].value, ast.Constant) and axis.value == 0
        return parameter if name == "tensorflow.stack" and first else None
    return {
        "tensorflow.add_n": f"{tensorflow}.reduce_sum({parameter}, axis=0)",
        "builtins.sum": f"{tensorflow}.reduce_sum({parameter}, axis=0)",
        "builtins.len": f"{tensorflow}.shape({parameter})[0]",
        "builtins.reversed": f"{parameter}[::-1]",
        "tensorflow.stack": parameter,
        "tensorflow.convert_to_tensor": parameter,
        "tensorflow.constant": parameter,
    }.get(name or "")
