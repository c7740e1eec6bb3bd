"""`model.predict(x)` → `model(x)`, or one of the methods for a single batch."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.module import Module

PREDICTIONS = ("predict", "predict_on_batch")


def called_directly(module: Module, call: ast.AST) -> Edit | None:
    """The edit that calls the model itself; None for `fit`, `evaluate` and the like."""
    function = call.func if isinstance(call, ast.Call) else None
    if (
        not isinstance(call, ast.Call)
        or not isinstance(function, ast.Attribute)
        or function.attr not in PREDICTIONS
    ):
        return None
    given = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "x"), None)
    if given is None or isinstance(given, ast.Starred):
        return None
    return module.replace(call, f"{module.source_of(function.value)}({module.source_of(given)})")


def called_on_batch(module: Module, call: ast.AST, method: str) -> Edit | None:
    """The edit that calls the method for one batch; None where options are given that it has not."""
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    if len(call.args) != 1 or any(keyword.arg != "verbose" for keyword in call.keywords):
        return None
    receiver, given = module.source_of(call.func.value), module.source_of(call.args[0])
    return module.replace(call, f"{receiver}.{method}({given})")
