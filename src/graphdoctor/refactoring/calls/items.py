"""Items of tensors and lists: taken by a tensor, or given another value."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.calls import called_name
from graphdoctor.source.def_use import Kind, Use
from graphdoctor.source.module import Module
from graphdoctor.source.names import module_alias
from graphdoctor.source.resolving import call_of, def_use, uses_of
from graphdoctor.source.surroundings import Body, name_given, target_of

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
    texts = item_texts(body.home, item)
    if texts is None or isinstance(item.slice, ast.Tuple):
        return None
    if isinstance(item.slice, ast.Slice):
        return "Use `tf.stack`", body.home.replace(item.value, f"{tensorflow}.stack({texts[0]})")
    if call_of(body.home, item) is not None:
        return chosen(body, item, dtype)
    return "Use `tf.gather`", body.home.replace(item, f"{tensorflow}.gather({', '.join(texts)})")


def chosen(body: Body, item: ast.AST, dtype: str = "") -> tuple[str, Edit] | None:
    """`tf.switch_case` over what is done with an element that is no tensor; None unless it is only called.

    `dtype` is that of the index: the operation takes int32 alone, and `tf.argmax` gives int64.
    """
    tensorflow, home = module_alias("tensorflow", body.scope), body.home
    if tensorflow is None or not isinstance(item, ast.Subscript) or not isinstance(item.ctx, ast.Load):
        return None
    if isinstance(item.slice, ast.Slice | ast.Tuple):
        return None
    index = home.source_of(item.slice)
    if dtype != "int32":
        index = f"{tensorflow}.cast({index}, {tensorflow}.int32)"
    start = f"{tensorflow}.switch_case({index}, [lambda each=each: each"
    end = f" for each in {home.source_of(item.value)}])"
    around = body.parents.get(item)
    whole = call_of(home, around if isinstance(around, ast.Attribute) else item)
    if whole is not None:  # of an element, or of a method of it
        done = home.source_of(whole)[len(home.source_of(item)) :]
        return "Use `tf.switch_case`", home.replace(whole, f"{start}{done}{end}")
    if not _is_only_called(body, item):
        return None
    text = f"lambda *given, **named: {start}(*given, **named){end}"
    return "Use `tf.switch_case`", home.replace(item, text)


def _is_only_called(body: Body, item: ast.expr) -> bool:
    """Whether an element is but called, by the name that it gets or where the function gives it to."""
    home, statement = body.home, body.parents.get(item)
    if isinstance(statement, ast.Return) and len(body.function.returns) == 1:
        calls = [call_of(home, each) for each in uses_of([home], body.function.name)]
        return bool(calls) and all(each is not None and call_of(home, each) for each in calls)
    name = name_given(statement)
    reads = def_use(home, body.function.node).of(name, Kind.READ)
    return len(body.scope.bindings.get(name, ())) == 1 and all(one.use is Use.CALLED for one in reads)


def scattered(
    module: Module, statement: ast.AST, shape: tuple[int | None, ...] | None, variable: bool
) -> tuple[str, Edit] | None:
    """`y[i] = v` as `y = tf.tensor_scatter_nd_update(…)`, or `tf.where` for a mask."""
    target = statement.target if isinstance(statement, ast.AugAssign) else target_of(statement)
    tensorflow = module_alias("tensorflow", module.scope_at(statement))
    if tensorflow is None or not isinstance(target, ast.Subscript):
        return None
    if not isinstance(statement, ast.Assign | ast.AugAssign) or not isinstance(
        target.value, ast.Name | ast.Attribute
    ):
        return None
    name, value = module.source_of(target.value), module.source_of(statement.value)
    operation = "tensor_scatter_nd_update"
    if isinstance(statement, ast.AugAssign):
        operation = UPDATES.get(type(statement.op), "")
    elif variable:
        return "Use `assign`", module.replace(statement, f"{module.source_of(target)}.assign({value})")
    elif isinstance(target.slice, ast.Compare | ast.BoolOp):  # a mask
        text = f"{name} = {tensorflow}.where({module.source_of(target.slice)}, {value}, {name})"
        return "Use `tf.where`", module.replace(statement, text)
    parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    index = _index(module, parts, name, tensorflow)
    if index is None or not operation:
        return None
    if shape is not None and len(shape) > len(parts) and isinstance(statement.value, ast.Constant):
        value = f"{tensorflow}.fill({tensorflow}.shape({name})[{len(parts)}:], {value})"
    text = f"{name} = {tensorflow}.{operation}({name}, [[{index}]], [{value}])"
    return f"Use `tf.{operation}`", module.replace(statement, text)


def _index(module: Module, parts: list[ast.expr], name: str, tensorflow: str) -> str | None:
    """The index as the operation wants it: no slices, counted from the front."""
    written = []
    for axis, part in enumerate(parts):
        text = module.source_of(part)
        constant = isinstance(part, ast.Constant) and part.value in (None, ...)
        if constant or isinstance(part, ast.Slice | ast.Starred):
            return None
        written.append(f"{tensorflow}.shape({name})[{axis}] - {text[1:]}" if text.startswith("-") else text)
    return ", ".join(written)


def is_operation(module: Module, node: ast.AST) -> bool:
    """Whether an expression is a call of one of TensorFlow's own functions."""
    name = called_name(node, module.scope_at(node))
    return name.startswith("tensorflow.") and ".keras." not in name
