"""Calls of a model: `model.predict(x)` → `model(x)`, and `training=True`."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.parameters import one_more_argument, one_more_parameter
from graphdoctor.source.calls import method_name, receiver_text
from graphdoctor.source.module import Module
from graphdoctor.source.resolving import method_of

PREDICTIONS = ("predict", "predict_on_batch")


def called_directly(module: Module, call: ast.AST) -> Edit | None:
    """The edit that calls the model itself; None for `fit`, `evaluate` and the like."""
    if not isinstance(call, ast.Call) or method_name(call) not in PREDICTIONS:
        return None
    given = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "x"), None)
    if given is None or isinstance(given, ast.Starred):
        return None
    return module.replace(call, f"{receiver_text(module, call)}({module.source_of(given)})")


def called_on_batch(module: Module, call: ast.AST, method: str) -> Edit | None:
    """The edit that calls the method for one batch; None where options are given that it has not."""
    if not isinstance(call, ast.Call) or not method_name(call) or len(call.args) != 1:
        return None
    if any(keyword.arg != "verbose" for keyword in call.keywords):
        return None
    text = f"{receiver_text(module, call)}.{method}({module.source_of(call.args[0])})"
    return module.replace(call, text)


def with_flag(module: Module, call: ast.AST) -> Edit | None:
    """The edit that gives a call `training=True`."""
    return one_more_argument(module, call, "training", "True") if isinstance(call, ast.Call) else None


def with_parameter(module: Module, model: str) -> Edit | None:
    """The edit that gives the `call` of a class a parameter `training`."""
    found = [node for node in module.tree.body if isinstance(node, ast.ClassDef) and node.name == model]
    call = method_of(found[0], "call") if len(found) == 1 else None
    function = module.functions.get(call) if call is not None else None
    return one_more_parameter(function, "training=None") if function is not None else None
