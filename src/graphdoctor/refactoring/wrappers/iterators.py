"""`next(iterator)` in traced code → taken when the graph runs; and what an iterator gives."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.refactoring.syntax.resolving import attribute_values, bindings_of, called_function
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

COUNTERS = ("itertools.count", "builtins.range")
PASSED_ON = ("builtins.iter", "itertools.cycle", "itertools.chain")


def taken_by_the_graph(module: Module, node: ast.AST, dtype: str) -> tuple[Edit, ...] | None:
    """The edits that take one element at each call, through `tf.py_function`."""
    found = tensorflow_at(module, module.scope_at(node))
    if found is None or not isinstance(node, ast.Call) or len(node.args) != 1:
        return None
    tensorflow, imports = found
    text = f"{tensorflow}.py_function(lambda: {module.source_of(node)}, [], {tensorflow}.{dtype})"
    return (module.replace(node, text), *imports)


def gives_numbers(iterator: ast.expr, function: Function) -> bool:
    """Whether the source shows that an iterator gives Python's numbers."""
    values = _values(iterator, function)
    return bool(values) and all(_are_numbers(value, scope) for value, scope in values)


def _values(iterator: ast.expr, function: Function) -> list[tuple[ast.expr, Scope]]:
    if isinstance(iterator, ast.Attribute):
        owner = function.owner
        values = attribute_values(owner, iterator.attr) if owner is not None else []
        return [(each, function.home.scope_at(each)) for each in values]
    found = bindings_of(iterator.id, function.scope) if isinstance(iterator, ast.Name) else None
    return [(each.value, found[0]) for each in found[1] if each.value is not None] if found else []


def _are_numbers(value: ast.expr, scope: Scope) -> bool:
    if isinstance(value, ast.List | ast.Tuple):
        return bool(value.elts) and all(map(_is_number, value.elts))
    if not isinstance(value, ast.Call):
        return False
    name = dotted_name(value.func, scope)
    if name in COUNTERS:
        return True
    if name in PASSED_ON:
        return bool(value.args) and all(_are_numbers(each, scope) for each in value.args)
    made = called_function(value, scope)
    yields = [each for each in ast.walk(made.node) if isinstance(each, ast.Yield)] if made is not None else []
    return bool(yields) and all(each.value is not None and _is_number(each.value) for each in yields)


def _is_number(node: ast.expr) -> bool:
    number = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(number, ast.Constant) and type(number.value) in (int, float)
