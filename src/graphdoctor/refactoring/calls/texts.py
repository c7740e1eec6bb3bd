"""Texts with tensors in them → operations that make the text when the graph runs."""

import ast
import dataclasses
import sys
from collections.abc import Sequence

from msgspec.structs import replace

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.formats import Filled, Part, joined_parts, parts_of_text, quoted
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.sites import Site

# The first raises for what is a tensor already.
MAKERS = ("tensorflow.constant", "tensorflow.convert_to_tensor")


@dataclasses.dataclass(frozen=True, slots=True)
class Joining:
    """`separator.join(parts)`."""

    module: Module
    call: ast.Call
    separator: ast.expr
    parts: ast.List | ast.Tuple | ast.ListComp | ast.GeneratorExp


def formatted(
    module: Module, node: ast.AST, callers: Sequence[Site] = (), into: str = ""
) -> tuple[Edit, ...] | None:
    """`f"step {step}"` → `tf.strings.format("step {}", step)`; `node` is the text, or a value in it.

    `callers` are the calls of the function that returns it, the nearest first; `into` is where it goes. None
    where Python does with it what it does with no tensor.
    """
    text = _whole_text(module, node)
    found = tensorflow_at(module, module.scope_at(node))
    if text is None or found is None:
        return None
    tensorflow, imports = found
    join = joining(module, text)
    whole = join.call if join is not None else text
    made = _joined(join, tensorflow) if join is not None else _made(module, text, tensorflow)
    if made is None or takes_only_texts(module, whole):
        return None
    makers = unwrapped(module, whole, callers)
    if makers is None and into in MAKERS:
        return None
    return (module.replace(whole, made), *(makers or ()), *imports)


def _made(module: Module, text: ast.expr, tensorflow: str) -> str | None:
    """The operation that makes a text."""
    parts = _parts(module, text)
    values = [part for part in parts or () if isinstance(part, Filled)]
    if not parts or not values:
        return None
    if any(value.has_a_look for value in values):
        return joined_parts(parts, tensorflow)
    template = "".join(part if isinstance(part, str) else "{}" for part in parts)
    inputs = values[0].text if len(values) == 1 else f"({', '.join(value.text for value in values)})"
    plain = not any(isinstance(part, str) and ("{" in part or "}" in part) for part in parts)
    return f"{tensorflow}.strings.format({quoted(template)}, {inputs})" if plain else None


def _joined(join: Joining, tensorflow: str) -> str | None:
    """`tf.strings.join` of what Python joins: texts as they are, and the tensors among them as texts."""
    source, parts = join.module.source_of, join.parts
    if isinstance(parts, ast.ListComp | ast.GeneratorExp):
        value = parts.elt.args[0] if _is_str(parts.elt) and isinstance(parts.elt, ast.Call) else None
        made = _made(join.module, parts.elt, tensorflow)
        if isinstance(value, ast.Name):
            # `tf.strings.format` shows a text in quotes, and takes a number of Python's in a list alone.
            shown = f'{tensorflow}.strings.format("{{}}", ({value.id},))'
            made = f"{value.id} if isinstance({value.id}, str) else {shown}"
        loops = "".join(map(ast.unparse, parts.generators))  # each begins with a blank
        inner = f"{made}{loops}" if made is not None else None
    else:
        each = [_made(join.module, one, tensorflow) or source(one) for one in parts.elts]
        inner = ", ".join(each)
    separator = source(join.separator)
    return f"{tensorflow}.strings.join([{inner}], separator={separator})" if inner is not None else None


def _whole_text(module: Module, node: ast.AST) -> ast.expr | None:
    """The f-string, `str(x)` or `"…".format(x)` to which a node belongs."""
    for each in ast.walk(module.tree):
        if isinstance(each, ast.JoinedStr) and any(part is node for part in ast.walk(each)):
            return each
    return node if isinstance(node, ast.Call) else None


def _parts(module: Module, text: ast.expr) -> list[Part] | None:
    """What the text is made of."""
    if _is_str(text) and isinstance(text, ast.Call):
        return [Filled(module.source_of(text.args[0]))]
    return parts_of_text(text, module.source_of)


def _is_str(text: ast.expr) -> bool:
    """Whether it is `str(x)`."""
    plain = isinstance(text, ast.Call) and len(text.args) == 1 and not text.keywords
    return plain and isinstance(text, ast.Call) and isinstance(text.func, ast.Name) and text.func.id == "str"


def value_in_text(module: Module, node: ast.AST) -> str:
    """What a text is made of at a place: `x` of `{x}` and of `str(x)`; empty where that is unknown."""
    value = node.value if isinstance(node, ast.FormattedValue) else None
    if isinstance(node, ast.Call) and len(node.args) == 1:
        value = node.args[0]
    return module.source_of(value) if value is not None else ""


def joining(module: Module, text: ast.expr) -> Joining | None:
    """The `join` that a text is a part of."""
    for call in ast.walk(module.tree):
        method = call.func if isinstance(call, ast.Call) else None
        if not isinstance(call, ast.Call) or not isinstance(method, ast.Attribute) or method.attr != "join":
            continue
        parts = call.args[0] if len(call.args) == 1 and not call.keywords else None
        several = isinstance(parts, ast.List | ast.Tuple) and text in parts.elts
        each = isinstance(parts, ast.ListComp | ast.GeneratorExp) and parts.elt is text
        if isinstance(parts, ast.List | ast.Tuple | ast.ListComp | ast.GeneratorExp) and (several or each):
            return Joining(module, call, method.value, parts)
    return None


def takes_only_texts(module: Module, text: ast.expr) -> bool:
    """Whether what stands around a text is Python's, and wants one of Python's."""
    for around in ast.walk(module.tree):
        if text not in ast.iter_child_nodes(around):
            continue
        if isinstance(around, ast.Call):
            library = (dotted_name(around.func, module.scope_at(around)) or "").partition(".")[0]
            return library in sys.stdlib_module_names
        if isinstance(around, ast.Dict):
            return text in around.keys
        if isinstance(around, ast.BinOp):
            return isinstance(around.op, ast.Mod)
        parts = (ast.Attribute, ast.Subscript, ast.FormattedValue, ast.List, ast.ListComp, ast.GeneratorExp)
        return isinstance(around, parts)
    return False


def unwrapped(module: Module, text: ast.expr, callers: Sequence[Site]) -> tuple[Edit, ...] | None:
    """The edits that leave out the `tf.constant` which a text is given to; None where nobody finds one.

    It stands around the text, around the name that the text gets, or around the call of the function that
    returns it.
    """
    parents = {child: each for each in ast.walk(module.tree) for child in ast.iter_child_nodes(each)}
    while isinstance(around := parents.get(text), ast.BinOp) and isinstance(around.op, ast.Add):
        text = around
    if isinstance(around, ast.Call):
        return _without(module, around, text)
    if isinstance(around, ast.Return) and callers:
        (home, call), *others = callers
        return unwrapped(home, call, others) if isinstance(call, ast.expr) else None
    target = around.targets[0] if isinstance(around, ast.Assign) else None
    if not isinstance(target, ast.Name):
        return None
    scope = module.scope_at(target)
    uses = [each for each in parents if isinstance(each, ast.Name) and each.id == target.id]
    makers = [
        edits
        for use in uses
        if isinstance(call := parents[use], ast.Call) and module.scope_at(use) is scope
        if (edits := _without(module, call, use)) is not None
    ]
    return tuple(edit for edits in makers for edit in edits) if makers else None


def _without(module: Module, maker: ast.Call, text: ast.expr) -> tuple[Edit, ...] | None:
    """`text` in the place of `tf.constant(text)`."""
    if (
        maker.args != [text]
        or maker.keywords
        or dotted_name(maker.func, module.scope_at(maker)) not in MAKERS
    ):
        return None
    whole, inner = module.span(maker), module.span(text)
    return (
        Edit.at(replace(whole, end_line=inner.line, end_column=inner.column), text=""),
        Edit.at(replace(whole, line=inner.end_line, column=inner.end_column), text=""),
    )
