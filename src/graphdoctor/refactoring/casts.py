"""An argument that comes with several dtypes → always with one."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.imports import tensorflow_at
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name

MAKERS = {"tensorflow.constant", "tensorflow.convert_to_tensor"}


def with_dtype(module: Module, node: ast.AST, dtype: str) -> tuple[Edit, ...] | None:
    """The edits that give an argument one dtype: where it is made a tensor, else by a cast."""
    scope = module.scope_at(node)
    found = tensorflow_at(module, scope)
    if found is None:
        return None
    tensorflow, imports = found
    text = module.source_of(node)
    makes = isinstance(node, ast.Call) and dotted_name(node.func, scope) in MAKERS
    if makes and isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        return (module.replace(node, f"{text[:-1].rstrip().rstrip(',')}, {tensorflow}.{dtype})"), *imports)
    return (module.replace(node, f"{tensorflow}.cast({text}, {tensorflow}.{dtype})"), *imports)
