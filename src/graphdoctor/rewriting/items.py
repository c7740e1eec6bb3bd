"""Items of tensors and lists: taken by a tensor, or given another value."""

import ast

from graphdoctor.model import Edit
from graphdoctor.rewriting.bodies import Body
from graphdoctor.source.module import Module
from graphdoctor.source.names import module_alias

UPDATES = {ast.Add: "tensor_scatter_nd_add", ast.Sub: "tensor_scatter_nd_sub"}


def item_texts(module: Module, node: ast.AST) -> tuple[str, str] | None:
    """What is indexed, and by what, as the source writes them."""
    if not isinstance(node, ast.Subscript):
        return None
    return module.source_of(node.value), module.source_of(node.slice)


def unstacked(module: Module, node: ast.AST) -> Edit | None:
    """A tensor that is taken apart as the list of its parts; None for the names that they get."""
    tensorflow = module_alias("tensorflow", module.scope_at(node))
    if tensorflow is None or isinstance(getattr(node, "ctx", None), ast.Store):
        return None
    return module.replace(node, f"{tensorflow}.unstack({module.source_of(node)})")


def gathered(body: Body, item: ast.AST) -> tuple[str, Edit] | None:
    """`tf.gather(list, index)`; `tf.switch_case` where what the list holds is called."""
    tensorflow = module_alias("tensorflow", body.scope)
    if tensorflow is None or not isinstance(item, ast.Subscript) or not isinstance(item.ctx, ast.Load):
        return None
    source = body.home.source_of
    holder, around = source(item.value), body.parents.get(item)
    if isinstance(item.slice, ast.Tuple):
        return None
    if isinstance(item.slice, ast.Slice):
        return "Use `tf.stack`", body.home.replace(item.value, f"{tensorflow}.stack({holder})")
    index = source(item.slice)
    if isinstance(around, ast.Call) and around.func is item:
        given = source(around)[len(source(item)) :]
        text = f"{tensorflow}.switch_case({index}, [lambda each=each: each{given} for each in {holder}])"
        return "Use `tf.switch_case`", body.home.replace(around, text)
    return "Use `tf.gather`", body.home.replace(item, f"{tensorflow}.gather({holder}, {index})")


def scattered(
    module: Module, statement: ast.AST, shape: tuple[int | None, ...] | None, variable: bool
) -> tuple[str, Edit] | None:
    """`y[i] = v` as `y = tf.tensor_scatter_nd_update(…)`, or `tf.where` for a mask."""
    plain = isinstance(statement, ast.Assign) and len(statement.targets) == 1
    if not plain and not isinstance(statement, ast.AugAssign):
        return None
    assert isinstance(statement, ast.Assign | ast.AugAssign)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    tensorflow = module_alias("tensorflow", module.scope_at(statement))
    if tensorflow is None or not isinstance(target, ast.Subscript):
        return None
    if not isinstance(target.value, ast.Name | ast.Attribute):
        return None
    name, value = module.source_of(target.value), module.source_of(statement.value)
    if variable and isinstance(statement, ast.Assign):
        return "Use `assign`", module.replace(statement, f"{module.source_of(target)}.assign({value})")
    if _is_mask(target.slice) and isinstance(statement, ast.Assign):
        text = f"{name} = {tensorflow}.where({module.source_of(target.slice)}, {value}, {name})"
        return "Use `tf.where`", module.replace(statement, text)
    operation = "tensor_scatter_nd_update"
    if isinstance(statement, ast.AugAssign):
        operation = UPDATES.get(type(statement.op), "")
    parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    index = _index(module, parts, name, tensorflow)
    if index is None or not operation:
        return None
    if shape is not None and len(shape) > len(parts) and isinstance(statement.value, ast.Constant):
        value = f"{tensorflow}.fill({tensorflow}.shape({name})[{len(parts)}:], {value})"
    text = f"{name} = {tensorflow}.{operation}({name}, [[{index}]], [{value}])"
    return f"Use `tf.{operation}`", module.replace(statement, text)


def _is_mask(index: ast.expr) -> bool:
    """A comparison, or several put together: what is chosen by a condition."""
    return isinstance(index, ast.Compare | ast.BoolOp)


def _index(module: Module, parts: list[ast.expr], name: str, tensorflow: str) -> str | None:
    """The index as the operation wants it: no slices, counted from the front."""
    written = []
    for axis, part in enumerate(parts):
        text = module.source_of(part)
        if isinstance(part, ast.Slice | ast.Starred) or (
            isinstance(part, ast.Constant) and part.value in (None, ...)
        ):
            return None
        written.append(f"{tensorflow}.shape({name})[{axis}] - {text[1:]}" if text.startswith("-") else text)
    return ", ".join(written)
