"""`zip(variables, gradients)` → `zip(gradients, variables)`."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.calls import argument_texts
from graphdoctor.source.module import Module


def swapped(module: Module, call: ast.Call) -> tuple[Edit, ...] | None:
    """The edits that swap what `zip` pairs; None where it is no plain `zip` of two."""
    if module.source_of(call.func) != "zip" or len(call.args) != 2:
        return None
    first, second = argument_texts(module, call)
    return module.replace(call.args[0], second), module.replace(call.args[1], first)
