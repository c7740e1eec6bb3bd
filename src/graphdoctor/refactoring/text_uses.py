"""What a program does with a text: joins it with others, makes a tensor of it, gives it to Python."""

import ast
import dataclasses
import sys
from collections.abc import Sequence

from msgspec.structs import replace

from graphdoctor.model import Edit
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
