"""Lists that a function fills in a loop, and the TensorArrays they could be."""

import ast
import dataclasses
from collections.abc import Iterator

from graphdoctor.model import Edit
from graphdoctor.source.dtypes import dtype_of
from graphdoctor.source.functions import Function
from graphdoctor.source.loops import is_graph_loop
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name, module_alias
from graphdoctor.source.scopes import Scope

STACKERS = {"tensorflow.stack", "tensorflow.convert_to_tensor"}


@dataclasses.dataclass(eq=False, slots=True)
class Accumulator:
    """A local list: where it is made, where it grows in a graph loop, and its other uses."""

    name: str
    scope: Scope
    created: ast.Assign
    appends_in_graph_loops: list[ast.Call]
    other_uses: list[ast.Name]
    parents: dict[ast.AST, ast.AST]


def find_accumulators(function: Function) -> Iterator[Accumulator]:
    """The lists of a function that grow inside a loop which becomes a graph loop."""
    parents = {child: node for node in ast.walk(function.node) for child in ast.iter_child_nodes(node)}
    for name, bindings in function.scope.bindings.items():
        made = [b.node for b in bindings if isinstance(b.node, ast.Assign) and _is_list(b.value)]
        if len(made) != len(bindings) or not made:
            continue
        created = made[0]
        uses = [
            node
            for node in ast.walk(function.node)
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        ]
        appends = [
            call
            for use in uses
            if (call := _append(use, parents)) and _grows(call, created, function, parents)
        ]
        appended = {id(call.func.value) for call in appends if isinstance(call.func, ast.Attribute)}
        others = [use for use in uses if id(use) not in appended]
        if appends and len(made) == 1:
            yield Accumulator(name, function.scope, created, appends, others, parents)


def _is_list(value: ast.expr | None) -> bool:
    return isinstance(value, ast.List) or (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id == "list"
        and not value.args
    )


def _append(use: ast.Name, parents: dict[ast.AST, ast.AST]) -> ast.Call | None:
    attribute = parents.get(use)
    if not isinstance(attribute, ast.Attribute) or attribute.attr != "append":
        return None
    call = parents.get(attribute)
    plain = isinstance(call, ast.Call) and call.func is attribute and len(call.args) == 1
    return call if isinstance(call, ast.Call) and plain and not call.keywords else None


def _grows(call: ast.AST, created: ast.Assign, function: Function, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a graph loop lies between the list's creation and the append, in the same function."""
    node: ast.AST = call
    while node is not function.node:
        node = parents[node]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return False
        if isinstance(node, ast.For | ast.While):
            inside = any(inner is created for inner in ast.walk(node))
            if not inside and is_graph_loop(node, function.scope):
                return True
    return False


def to_tensor_array(module: Module, accumulator: Accumulator) -> tuple[Edit, ...] | None:
    """The edits that make the list a TensorArray; None unless every use of it is understood."""
    tensorflow = module_alias("tensorflow", accumulator.scope)
    value = accumulator.created.value
    empty = not (isinstance(value, ast.List) and value.elts)
    if tensorflow is None or len(accumulator.appends_in_graph_loops) != 1 or not empty:
        return None
    uses = [_stacked(module, accumulator, use) for use in accumulator.other_uses]
    if not uses or not all(uses):
        return None
    name, call = accumulator.name, accumulator.appends_in_graph_loops[0]
    if not isinstance(accumulator.parents.get(call), ast.Expr):
        return None
    array = f"{tensorflow}.TensorArray({tensorflow}.{_dtype(accumulator, call)}, size=0, dynamic_size=True)"
    method = module.span(call.func)
    last = module.text_line(method) + method.end_line - method.line
    return (
        module.replace(value, array),
        module.insert_before(call, f"{name} = "),
        module.replace_columns(last, method.end_column - len("append"), method.end_column, "write"),
        module.insert_before(call.args[0], f"{name}.size(), "),
        *(edit for edit in uses if edit is not None),
    )


def _dtype(accumulator: Accumulator, call: ast.Call) -> str:
    """The dtype of what is kept; where the source does not tell, the likely one."""
    known = dtype_of(call.args[0], accumulator.scope)
    names = [part.id for part in ast.walk(call.args[0]) if isinstance(part, ast.Name)]
    counts = names and all(_counts_turns(name, accumulator.scope) for name in names)
    return known or ("int32" if counts else "float32")


def _counts_turns(name: str, scope: Scope) -> bool:
    found = scope.lookup(name)
    values = [binding.value for binding in found[1]] if found else []
    return bool(values) and all(
        isinstance(value, ast.Call) and dotted_name(value.func, scope) == "tensorflow.range"
        for value in values
    )


def _stacked(module: Module, accumulator: Accumulator, use: ast.Name) -> Edit | None:
    """The edit that turns `tf.stack(list)` into `list.stack()`."""
    call = accumulator.parents.get(use)
    if not isinstance(call, ast.Call) or call.args != [use]:
        return None
    if dotted_name(call.func, accumulator.scope) not in STACKERS:
        return None
    axis = {k.arg: k.value for k in call.keywords}
    if set(axis) - {"axis"} or ("axis" in axis and not _is_zero(axis["axis"])):
        return None
    return module.replace(call, f"{accumulator.name}.stack()")


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0
