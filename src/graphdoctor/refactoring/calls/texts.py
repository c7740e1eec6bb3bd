"""Texts with tensors in them → operations that make the text when the graph runs."""

import ast
import dataclasses
import sys
from collections.abc import Sequence

from msgspec.structs import replace

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.formats import Filled, Part, joined_parts, parts_of_text, quoted
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.source.calls import called_name
from graphdoctor.source.def_use import Kind
from graphdoctor.source.module import Module
from graphdoctor.source.resolving import def_use_around
from graphdoctor.source.sites import Site
from graphdoctor.source.surroundings import around, name_given, parents_of

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
    outside = [each for each in (node, *around(module, node)) if isinstance(each, ast.JoinedStr)]
    return outside[-1] if outside else node if isinstance(node, ast.Call) else None


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
    parts = parents_of(module).get(text)
    call = parents_of(module).get(parts) if parts is not None else None
    if not isinstance(parts, ast.List | ast.Tuple | ast.ListComp | ast.GeneratorExp):
        return None
    if not isinstance(call, ast.Call) or call.args != [parts] or call.keywords:
        return None
    method = call.func
    whole = isinstance(parts, ast.List | ast.Tuple) or parts.elt is text
    joins = isinstance(method, ast.Attribute) and method.attr == "join" and whole
    return Joining(module, call, method.value, parts) if joins and isinstance(method, ast.Attribute) else None


def takes_only_texts(module: Module, text: ast.expr) -> bool:
    """Whether what stands around a text is Python's, and wants one of Python's."""
    outer = parents_of(module).get(text)
    if isinstance(outer, ast.Call):
        return called_name(outer, module.scope_at(outer)).partition(".")[0] in sys.stdlib_module_names
    if isinstance(outer, ast.Dict):
        return text in outer.keys
    if isinstance(outer, ast.BinOp):
        return isinstance(outer.op, ast.Mod)
    parts = (ast.Attribute, ast.Subscript, ast.FormattedValue, ast.List, ast.ListComp, ast.GeneratorExp)
    return isinstance(outer, parts)


def unwrapped(module: Module, text: ast.expr, callers: Sequence[Site]) -> tuple[Edit, ...] | None:
    """The edits that leave out the `tf.constant` which a text is given to; None where nobody finds one.

    It stands around the text, around the name that the text gets, or around the call of the function that
    returns it.
    """
    parents = parents_of(module)
    while isinstance(outer := parents.get(text), ast.BinOp) and isinstance(outer.op, ast.Add):
        text = outer
    if isinstance(outer, ast.Call):
        return _without(module, outer, text)
    if isinstance(outer, ast.Return) and callers:
        (home, call), *others = callers
        return unwrapped(home, call, others) if isinstance(call, ast.expr) else None
    uses = def_use_around(module, text).of(name_given(outer), Kind.READ)
    users = [(parents.get(one.node), one.node) for one in uses if one.nested is None]
    makers = [_without(module, *each) for each in users]
    return tuple(edit for edits in makers if edits is not None for edit in edits) or None


def _without(module: Module, maker: ast.AST | None, text: ast.AST) -> tuple[Edit, ...] | None:
    """`text` in the place of `tf.constant(text)`."""
    if not isinstance(maker, ast.Call) or maker.args != [text] or maker.keywords:
        return None
    whole, inner = module.span(maker), module.span(text)
    edits = (
        Edit.at(replace(whole, end_line=inner.line, end_column=inner.column), text=""),
        Edit.at(replace(whole, line=inner.end_line, column=inner.end_column), text=""),
    )
    return edits if called_name(maker, module.scope_at(maker)) in MAKERS else None
