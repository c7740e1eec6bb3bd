"""`time.time()` → `tf.timestamp()`."""

import ast
from collections.abc import Collection

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.dtypes import dtype_of
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name, module_alias


def as_timestamp(module: Module, call: ast.AST, in_graph: Collection[ast.AST] = ()) -> Edit | None:
    """The edit that reads the clock when the graph runs; None for one end of an interval.

    A graph reads both ends at once: nothing lets the second wait for what is computed between (measured on
    2.21: 4 µs for a quarter of a second). `in_graph` are all readings that are part of graphs: where Python
    read the other end of the same clock, the graph may read this one.
    """
    tensorflow = module_alias("tensorflow", module.scope_at(call))
    if tensorflow is None or (
        is_end_of_interval(module, call) and not _began_outside(module, call, in_graph)
    ):
        return None
    return module.replace(call, f"{tensorflow}.timestamp()")


def is_end_of_interval(module: Module, call: ast.AST) -> bool:
    """Whether a reading, or what it is kept as, is subtracted or subtracted from."""
    kept = {
        ast.unparse(target)
        for each in ast.walk(module.tree)
        if isinstance(each, ast.Assign) and each.value is call
        for target in each.targets
    }
    return any(
        side is call or ast.unparse(side) in kept
        for each in ast.walk(module.tree)
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Sub)
        for side in (each.left, each.right)
    )


def _began_outside(module: Module, call: ast.AST, in_graph: Collection[ast.AST]) -> bool:
    """Whether a reading is the end of an interval whose beginning, of the same clock, Python read before."""
    differences = (each for each in ast.walk(module.tree) if isinstance(each, ast.BinOp))
    begun = [each.right for each in differences if isinstance(each.op, ast.Sub) and each.left is call]
    values = _values_given(module, ast.unparse(begun[0])) if begun else []
    readings = [value for value in values if _called(module, value).startswith("time.")]
    others = [value for value in values if value not in readings]
    # `tf.timestamp` is the clock of `time.time`: others count from another moment.
    same = all(_called(module, each) == "time.time" for each in (call, *readings))
    fits = all(isinstance(each, ast.Constant) or _is_exact(module, each) for each in others)
    return bool(readings) and same and fits and not any(each in in_graph for each in readings)


def _values_given(module: Module, name: str) -> list[ast.expr]:
    """What a name or an attribute is given: by `=`, and as a Variable by `assign`."""
    values = []
    for each in ast.walk(module.tree):
        if isinstance(each, ast.Assign) and name in map(ast.unparse, each.targets):
            values.append(each.value)
        if isinstance(each, ast.Call) and each.args and ast.unparse(each.func) == f"{name}.assign":
            values.append(each.args[0])
    return values


def _is_exact(module: Module, value: ast.expr) -> bool:
    """Whether it is a Variable of the dtype that `tf.timestamp` gives."""
    made = _called(module, value) == "tensorflow.Variable"
    return made and dtype_of(value, module.scope_at(value), {}) == "float64"


def _called(module: Module, call: ast.AST) -> str:
    found = dotted_name(call.func, module.scope_at(call)) if isinstance(call, ast.Call) else None
    return found or ""
