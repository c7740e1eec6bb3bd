"""Loops: what they give a value, and which become graph loops."""

import ast

from graphdoctor.source.kinds import Kind, kind_of
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Loop, Scope


def binds(loop: Loop, name: str) -> bool:
    """Whether a loop, or anything in its body, gives this name a value."""
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
        for node in ast.walk(loop)
    )


def is_graph_loop(loop: Loop, scope: Scope) -> bool:
    """Whether AutoGraph turns a loop of a converted function into a TensorFlow loop."""
    if isinstance(loop, ast.While):
        return kind_of(loop.test, scope) is Kind.TENSOR
    if isinstance(loop, ast.comprehension | ast.AsyncFor):
        return False
    iterable = loop.iter
    if isinstance(iterable, ast.Call) and dotted_name(iterable.func, scope) == "builtins.range":
        return any(kind_of(argument, scope) is Kind.TENSOR for argument in iterable.args)
    if isinstance(iterable, ast.Call) and dotted_name(iterable.func, scope) == "builtins.enumerate":
        return bool(iterable.args) and kind_of(iterable.args[0], scope) is Kind.DATASET
    return kind_of(iterable, scope) in (Kind.TENSOR, Kind.DATASET)
