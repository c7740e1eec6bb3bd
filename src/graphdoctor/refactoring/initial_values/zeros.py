"""A value to begin with: zeros like what a branch or a loop gives later, or a number as a tensor."""

import ast
import dataclasses

from graphdoctor.model import Edit
from graphdoctor.source.calls import called_name
from graphdoctor.source.def_use import names_read
from graphdoctor.source.module import Module
from graphdoctor.source.names import module_alias
from graphdoctor.source.surroundings import Body

PYTHON = {"int": "0", "float": "0.0", "bool": "False", "str": '""'}
# What draws, counts or shows something is not to be written twice.
IMPURE = ("tensorflow.random.", "tensorflow.print", "tensorflow.py_function", "tensorflow.numpy_function")
NEVER_TWICE = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Lambda)


@dataclasses.dataclass(frozen=True)
class Kind:
    """What is known of a value: its Python type where it is no tensor, its dtype, its shape."""

    type: str = ""
    dtype: str = ""
    shape: tuple[int | None, ...] | None = None


def blank(body: Body, value: ast.expr | None, line: int, kind: Kind) -> str | None:
    """Zeros like `value`, as they can be written on a line above it; None where they are unknown."""
    tensorflow = module_alias("tensorflow", body.scope)
    if kind.type in PYTHON or tensorflow is None:
        return PYTHON.get(kind.type)
    if isinstance(value, ast.Tuple | ast.List) and value.elts:
        parts = [blank(body, element, line, Kind()) for element in value.elts]
        known = [part for part in parts if part is not None]
        return _sequence(value, known) if len(known) == len(parts) else None
    if isinstance(value, ast.Constant) and type(value.value).__name__ in PYTHON:
        return PYTHON[type(value.value).__name__]
    if value is not None and may_be_repeated(body, value) and is_known_above(body, value, line):
        return f"{tensorflow}.zeros_like({body.home.source_of(value)})"
    if kind.dtype and kind.shape is not None and None not in kind.shape:
        dtype = "" if kind.dtype == "float32" else f", {tensorflow}.{kind.dtype}"
        return f"{tensorflow}.zeros({list(kind.shape)}{dtype})"
    return None


def _sequence(like: ast.Tuple | ast.List, parts: list[str]) -> str:
    """A tuple or list as it is written."""
    if isinstance(like, ast.List):
        return f"[{', '.join(parts)}]"
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def may_be_repeated(body: Body, value: ast.expr) -> bool:
    """Whether an expression on one line computes with TensorFlow alone, and changes nothing."""
    parts = list(ast.walk(value))
    called = [called_name(part, body.scope) for part in parts if isinstance(part, ast.Call)]
    pure = all(name.startswith("tensorflow.") and not name.startswith(IMPURE) for name in called)
    return pure and not any(map(_is_for_once, parts)) and value.lineno == value.end_lineno


def _is_for_once(part: ast.AST) -> bool:
    return isinstance(part, NEVER_TWICE)


def is_known_above(body: Body, value: ast.expr, line: int) -> bool:
    """Whether every name that an expression reads has a value before a line of the function."""
    for name in names_read(value):
        own = body.scope.bindings.get(name)
        if own is not None and not any(
            binding.kind == "parameter" or getattr(binding.node, "lineno", line) < line for binding in own
        ):
            return False
    return True


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
