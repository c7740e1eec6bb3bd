"""A function that computes something and returns nothing → one that returns it."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name


def return_last(module: Module, node: ast.AST) -> Edit | None:
    """`return` before the last line of the one function that a call's arguments go through, and lose."""
    called = {
        getattr(part.func, "attr", getattr(part.func, "id", ""))
        for part in ast.walk(node)
        if isinstance(part, ast.Call) and part is not node
    }
    losing = [
        function
        for function in module.functions.values()
        if function.name in called and isinstance(function.node, ast.FunctionDef) and not function.returns
    ]
    last = losing[0].node.body[-1] if len(losing) == 1 and isinstance(losing[0].node.body, list) else None
    value = last.value if isinstance(last, ast.Expr) else None
    if not isinstance(value, ast.Call):
        return None
    computes = (dotted_name(value.func, losing[0].scope) or "").startswith("tensorflow.")
    return module.insert_before(value, "return ") if computes else None
