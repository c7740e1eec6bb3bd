"""Rows of a tensor that a loop takes by its index, `x[t]` → reads of a TensorArray."""

import ast
from collections.abc import Sequence

from graphdoctor.model import Edit
from graphdoctor.source.module import Module
from graphdoctor.source.names import module_alias


def to_rows(module: Module, loop: ast.AST, taken: Sequence[ast.AST], axis: int) -> tuple[Edit, ...] | None:
    """The edits that put the rows into a TensorArray before the loop, and read them in it."""
    rows = [node for node in taken if isinstance(node, ast.Subscript)]
    if not isinstance(loop, ast.For):
        return None
    index, name = loop.target, rows[0].value if rows else None
    if not isinstance(index, ast.Name) or not isinstance(name, ast.Name) or axis > 1:
        return None
    if not all(_is_row(row, name.id, index.id, axis) and _is_in(row, loop) for row in rows):
        return None
    scope = module.scope_at(rows[0])
    tensorflow = module_alias("tensorflow", scope)
    array_name = f"{name.id}_rows"
    before = module.lines[loop.lineno - 1][: loop.col_offset]
    if tensorflow is None or before.strip() or scope.lookup(array_name) is not None:
        return None
    whole = name.id if axis == 0 else f"{tensorflow}.experimental.numpy.swapaxes({name.id}, 0, 1)"
    size = f"{tensorflow}.shape({name.id})[{axis}]"
    array = f"{tensorflow}.TensorArray({name.id}.dtype, {size}, clear_after_read=False)"
    return (
        module.insert(loop.lineno, 1, f"{before}{array_name} = {array}.unstack({whole})\n"),
        *(module.replace(row, f"{array_name}.read({index.id})") for row in rows),
    )


def _is_row(node: ast.Subscript, name: str, index: str, axis: int) -> bool:
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    by = parts[axis] if axis < len(parts) else None
    named = isinstance(node.value, ast.Name) and node.value.id == name
    return named and isinstance(by, ast.Name) and by.id == index


def _is_in(node: ast.AST, loop: ast.For) -> bool:
    return any(part is node for statement in loop.body for part in ast.walk(statement))
