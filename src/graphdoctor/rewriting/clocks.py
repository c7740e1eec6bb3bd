"""`time.time()` → `tf.timestamp()`."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.module import Module
from graphdoctor.source.names import module_alias


def as_timestamp(module: Module, call: ast.AST) -> Edit | None:
    """The edit that reads the clock when the graph runs."""
    tensorflow = module_alias("tensorflow", module.scope_at(call))
    return module.replace(call, f"{tensorflow}.timestamp()") if tensorflow is not None else None
