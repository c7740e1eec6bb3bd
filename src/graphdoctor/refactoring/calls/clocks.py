"""`time.time()` → `tf.timestamp()`."""

import ast
from collections.abc import Collection

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.dtypes import dtype_of
from graphdoctor.source.calls import called_name
from graphdoctor.source.def_use import place_of
from graphdoctor.source.module import Module
from graphdoctor.source.names import module_alias
from graphdoctor.source.surroundings import parents_of


def as_timestamp(module: Module, call: ast.AST, in_graph: Collection[ast.AST] = ()) -> Edit | None:
    """The edit that reads the clock when the graph runs; None for one end of an interval.

    A graph reads both ends at once: nothing lets the second wait for what is computed between (measured on
    2.21: 4 µs for a quarter of a second). `in_graph` are all readings that are part of graphs: where Python
    read the other end of the same clock, the graph may read this one.
    """
    tensorflow = module_alias("tensorflow", module.scope_at(call))
    one_end = is_end_of_interval(module, call) and not _began_outside(module, call, in_graph)
    return None if tensorflow is None or one_end else module.replace(call, f"{tensorflow}.timestamp()")


def is_end_of_interval(module: Module, call: ast.AST) -> bool:
    """Whether a reading, or what it is kept as, is subtracted or subtracted from."""
    statement = parents_of(module).get(call)
    kept = {place_of(each) for each in statement.targets} if isinstance(statement, ast.Assign) else set[str]()
    sides = [side for each in _differences(module) for side in (each.left, each.right)]
    return any(side is call or place_of(side) in kept - {""} for side in sides)


def _differences(module: Module) -> list[ast.BinOp]:
    parts = ast.walk(module.tree)
    return [each for each in parts if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Sub)]


def _began_outside(module: Module, call: ast.AST, in_graph: Collection[ast.AST]) -> bool:
    """Whether a reading is the end of an interval whose beginning, of the same clock, Python read before."""
    begun = next((place_of(each.right) for each in _differences(module) if each.left is call), "")
    values = _values_given(module, begun) if begun else []
    readings = [value for value in values if _called(module, value).startswith("time.")]
    others = [value for value in values if value not in readings]
    # `tf.timestamp` is the clock of `time.time`: others count from another moment.
    same = all(_called(module, each) == "time.time" for each in (call, *readings))
    fits = all(isinstance(each, ast.Constant) or _is_exact(module, each) for each in others)
    return bool(readings) and same and fits and not any(each in in_graph for each in readings)


def _values_given(module: Module, place: str) -> list[ast.expr]:
    """What a name or an attribute is given: by `=`, and as a Variable by `assign`."""
    values = []
    for each in ast.walk(module.tree):
        if isinstance(each, ast.Assign) and place in map(place_of, each.targets):
            values.append(each.value)
        if isinstance(each, ast.Call) and each.args and place_of(each.func) == f"{place}.assign":
            values.append(each.args[0])
    return values


def _is_exact(module: Module, value: ast.expr) -> bool:
    """Whether it is a Variable of the dtype that `tf.timestamp` gives."""
    made = _called(module, value) == "tensorflow.Variable"
    return made and dtype_of(value, module.scope_at(value), {}) == "float64"


def _called(module: Module, call: ast.AST) -> str:
    return called_name(call, module.scope_at(call))
