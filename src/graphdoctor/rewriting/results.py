"""A call whose result is dropped → one whose result is kept."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.calls import receiver_text
from graphdoctor.source.module import Module


def kept_result(module: Module, call: ast.AST) -> Edit | None:
    """`array.write(…)` as `array = array.write(…)`; None where it is not called on a name."""
    name = receiver_text(module, call)
    return module.insert_before(call, f"{name} = ") if name.isidentifier() else None
