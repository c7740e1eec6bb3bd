"""Reads of a tensor's value → the tensor itself."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.module import Module

READS = {"numpy": "", "item": "", "tolist": "", "eval": "", "get_weights": ".weights"}


def unread(module: Module, call: ast.Call) -> Edit | None:
    """`x.numpy()` as `x`, `model.get_weights()` as `model.weights`.

    None where what follows works on a value of Python's: `.decode()`, `.astype(…)`.
    """
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in READS or call.args:
        return None
    after = next((n for n in ast.walk(module.tree) if isinstance(n, ast.Attribute) and n.value is call), None)
    text = module.source_of(call.func.value) + READS[call.func.attr]
    return module.replace(call, text) if after is None else None


def without_numpy(module: Module, call: ast.AST) -> Edit | None:
    """`x.numpy()` as `x`, whatever follows."""
    method = call.func if isinstance(call, ast.Call) else None
    if not isinstance(method, ast.Attribute) or method.attr != "numpy":
        return None
    return module.replace(call, module.source_of(method.value))
