"""Items of tensors and lists: taken by a tensor, or given another value."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.bodies import Body
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name, module_alias

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


def gathered(body: Body, item: ast.AST, dtype: str = "") -> tuple[str, Edit] | None:
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
        return chosen(body, item, dtype)
    return "Use `tf.gather`", body.home.replace(item, f"{tensorflow}.gather({holder}, {index})")


def chosen(body: Body, item: ast.AST, dtype: str = "") -> tuple[str, Edit] | None:
    """`tf.switch_case` over what is done with an element that is no tensor; None unless it is only called.

    `dtype` is that of the index: the operation takes int32 alone, and `tf.argmax` gives int64.
    """
    tensorflow = module_alias("tensorflow", body.scope)
    if tensorflow is None or not isinstance(item, ast.Subscript) or not isinstance(item.ctx, ast.Load):
        return None
    if isinstance(item.slice, ast.Slice | ast.Tuple):
        return None
    source = body.home.source_of
    index = source(item.slice)
    if dtype != "int32":
        index = f"{tensorflow}.cast({index}, {tensorflow}.int32)"
    start = f"{tensorflow}.switch_case({index}, [lambda each=each: each"
    end = f" for each in {source(item.value)}])"
    whole = _call_of(body, item)
    if whole is not None:
        text = f"{start}{source(whole)[len(source(item)) :]}{end}"
        return "Use `tf.switch_case`", body.home.replace(whole, text)
    if not _is_only_called(body, item):
        return None
    text = f"lambda *given, **named: {start}(*given, **named){end}"
    return "Use `tf.switch_case`", body.home.replace(item, text)


def _call_of(body: Body, item: ast.expr) -> ast.Call | None:
    """The call of an element, or of a method of it."""
    around = body.parents.get(item)
    if isinstance(around, ast.Attribute):
        item, around = around, body.parents.get(around)
    return around if isinstance(around, ast.Call) and around.func is item else None


def _is_only_called(body: Body, item: ast.expr) -> bool:
    """Whether an element is but called, by the name that it gets or where the function gives it to."""
    tree, statement, name = body.home.tree, body.parents.get(item), body.function.name
    calls: dict[ast.AST | None, ast.Call] = {
        each.func: each for each in ast.walk(tree) if isinstance(each, ast.Call)
    }
    if isinstance(statement, ast.Return) and len(body.function.returns) == 1:
        spelled = [
            each for each in ast.walk(tree) if name in (getattr(each, "attr", ""), getattr(each, "id", ""))
        ]
        return bool(spelled) and all(calls.get(each) in calls for each in spelled)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if not isinstance(target, ast.Name) or len(body.scope.bindings.get(target.id, ())) != 1:
        return False
    nodes = [each for each in ast.walk(body.function.node) if isinstance(each, ast.Name)]
    return all(each in calls for each in nodes if each.id == target.id and each is not target)


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


def is_operation(module: Module, node: ast.AST) -> bool:
    """Whether an expression is a call of one of TensorFlow's own functions."""
    name = dotted_name(node.func, module.scope_at(node)) if isinstance(node, ast.Call) else None
    return (name or "").startswith("tensorflow.") and ".keras." not in (name or "")
