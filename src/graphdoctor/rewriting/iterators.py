"""`next(iterator)` in traced code → taken when the graph runs."""

import ast

from graphdoctor.model import Edit
from graphdoctor.rewriting.imports import tensorflow_at
from graphdoctor.source.module import Module


def taken_by_the_graph(module: Module, node: ast.AST, dtype: str) -> tuple[Edit, ...] | None:
    """The edits that take one element at each call, through `tf.py_function`."""
    found = tensorflow_at(module, module.scope_at(node))
    if found is None or not isinstance(node, ast.Call) or len(node.args) != 1:
        return None
    tensorflow, imports = found
    text = f"{tensorflow}.py_function(lambda: {module.source_of(node)}, [], {tensorflow}.{dtype})"
    return (module.replace(node, text), *imports)
