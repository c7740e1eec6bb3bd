"""A Python value from which a loop starts → a tensor."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.module import Module
from graphdoctor.source.names import module_alias


def as_tensor(module: Module, start: ast.expr, dtype: str) -> tuple[Edit, bool] | None:
    """The edit, and whether it is the tensor that the loop needs; None for what becomes none."""
    tensorflow = module_alias("tensorflow", module.scope_at(start))
    if tensorflow is None:
        return None
    text = module.source_of(start)
    if isinstance(start, ast.Constant) and isinstance(start.value, bool):
        return module.replace(start, f"{tensorflow}.constant({text})"), True
    if isinstance(start, ast.Constant) and type(start.value) not in (int, float):
        return None
    # A number must have the dtype of what it becomes, which the source does not always tell.
    given = f", {tensorflow}.{dtype}" if dtype not in ("", "float32", "bool") else ""
    return module.replace(start, f"{tensorflow}.constant({text}{given})"), False
