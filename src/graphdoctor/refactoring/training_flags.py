"""`training=True` for a call, and the parameter `training` for the `call` of a model."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.parameters import one_more_argument, one_more_parameter
from graphdoctor.refactoring.resolving import method_of
from graphdoctor.source.module import Module


def with_flag(module: Module, call: ast.AST) -> Edit | None:
    """The edit that gives a call `training=True`."""
    return one_more_argument(module, call, "training", "True") if isinstance(call, ast.Call) else None


def with_parameter(module: Module, model: str) -> Edit | None:
    """The edit that gives the `call` of a class a parameter `training`."""
    found = [node for node in module.tree.body if isinstance(node, ast.ClassDef) and node.name == model]
    call = method_of(found[0], "call") if len(found) == 1 else None
    function = module.functions.get(call) if call is not None else None
    return one_more_parameter(function, "training=None") if function is not None else None
