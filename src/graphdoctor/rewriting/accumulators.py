"""A list that a function fills in a loop → the TensorArray that it could be."""

import ast
import dataclasses

from graphdoctor.model import Edit
from graphdoctor.rewriting.bodies import Body
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name, module_alias
from graphdoctor.source.scopes import Scope

STACKERS = {"tensorflow.stack", "tensorflow.convert_to_tensor"}


@dataclasses.dataclass(eq=False, slots=True)
class Accumulator:
    """A local list: where it is made, the one place that fills it, and its other uses."""

    name: str
    scope: Scope
    created: ast.Assign
    append: ast.Call
    other_uses: list[ast.Name]
    parents: dict[ast.AST, ast.AST]


def accumulator_at(body: Body, append: ast.AST) -> Accumulator | None:
    """The list that this call alone fills; None where it is no list that the function makes once."""
    if not isinstance(append, ast.Call) or not isinstance(append.func, ast.Attribute):
        return None
    filled = append.func.value
    plain = append.func.attr == "append" and len(append.args) == 1 and not append.keywords
    if not plain or not isinstance(filled, ast.Name):
        return None
    made = [binding.node for binding in body.scope.bindings.get(filled.id, ())]
    created = made[0] if len(made) == 1 else None
    if not isinstance(created, ast.Assign) or not _is_list(created.value):
        return None
    uses = [
        node
        for node in ast.walk(body.function.node)
        if isinstance(node, ast.Name) and node.id == filled.id and isinstance(node.ctx, ast.Load)
    ]
    others = [use for use in uses if use is not filled]
    return Accumulator(filled.id, body.scope, created, append, others, body.parents)


def _is_list(value: ast.expr | None) -> bool:
    return isinstance(value, ast.List) or (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id == "list"
        and not value.args
    )


def to_tensor_array(module: Module, accumulator: Accumulator, dtype: str | None) -> tuple[Edit, ...] | None:
    """The edits that make the list a TensorArray; None unless every use of it is understood."""
    tensorflow = module_alias("tensorflow", accumulator.scope)
    value = accumulator.created.value
    empty = not (isinstance(value, ast.List) and value.elts)
    if tensorflow is None or not empty:
        return None
    uses = [_stacked(module, accumulator, use) for use in accumulator.other_uses]
    if not uses or not all(uses):
        return None
    name, call = accumulator.name, accumulator.append
    if not isinstance(accumulator.parents.get(call), ast.Expr):
        return None
    array = f"{tensorflow}.TensorArray({tensorflow}.{_dtype(accumulator, dtype)}, size=0, dynamic_size=True)"
    method = module.span(call.func)
    last = module.text_line(method) + method.end_line - method.line
    return (
        module.replace(value, array),
        module.insert_before(call, f"{name} = "),
        module.replace_columns(last, method.end_column - len("append"), method.end_column, "write"),
        module.insert_before(call.args[0], f"{name}.size(), "),
        *(edit for edit in uses if edit is not None),
    )


def _dtype(accumulator: Accumulator, known: str | None) -> str:
    """The dtype of what is kept; where nobody knows it, the likely one."""
    names = [part.id for part in ast.walk(accumulator.append.args[0]) if isinstance(part, ast.Name)]
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
