"""Texts with tensors in them → operations that make the text when the graph runs."""

import ast

from graphdoctor.model import Edit
from graphdoctor.rewriting.formats import Filled, Part, joined_parts, parts_of_text, quoted
from graphdoctor.rewriting.imports import tensorflow_at
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name

MAKERS = {"tensorflow.constant", "tensorflow.convert_to_tensor"}


def formatted(module: Module, node: ast.AST) -> tuple[Edit, ...] | None:
    """`f"step {step}"` → `tf.strings.format("step {}", step)`; `node` is the text, or a value in it."""
    text = _whole_text(module, node)
    found = tensorflow_at(module, module.scope_at(node))
    if text is None or found is None:
        return None
    tensorflow, imports = found
    parts = _parts(module, text)
    values = [part for part in parts or () if isinstance(part, Filled)]
    if not parts or not values:
        return None
    made: str | None
    if any(value.has_a_look for value in values):
        made = joined_parts(parts, tensorflow)
    else:
        template = "".join(part if isinstance(part, str) else "{}" for part in parts)
        inputs = values[0].text if len(values) == 1 else f"({', '.join(value.text for value in values)})"
        plain = not any(isinstance(part, str) and ("{" in part or "}" in part) for part in parts)
        made = f"{tensorflow}.strings.format({quoted(template)}, {inputs})" if plain else None
    return (module.replace(_converted(module, text), made), *imports) if made is not None else None


def _whole_text(module: Module, node: ast.AST) -> ast.expr | None:
    """The f-string, `str(x)` or `"…".format(x)` to which a node belongs."""
    for each in ast.walk(module.tree):
        if isinstance(each, ast.JoinedStr) and any(part is node for part in ast.walk(each)):
            return each
    return node if isinstance(node, ast.Call) else None


def _parts(module: Module, text: ast.expr) -> list[Part] | None:
    """What the text is made of."""
    name = text.func if isinstance(text, ast.Call) and not text.keywords else None
    if isinstance(text, ast.Call) and isinstance(name, ast.Name) and name.id == "str" and len(text.args) == 1:
        return [Filled(module.source_of(text.args[0]))]
    return parts_of_text(text, module.source_of)


def _converted(module: Module, text: ast.expr) -> ast.expr:
    """The text, or the `tf.constant(…)` right around it."""
    for each in ast.walk(module.tree):
        alone = isinstance(each, ast.Call) and each.args == [text] and not each.keywords
        if alone and isinstance(each, ast.Call) and dotted_name(each.func, module.scope_at(each)) in MAKERS:
            return each
    return text


def value_in_text(module: Module, node: ast.AST) -> str:
    """What a text is made of at a place: `x` of `{x}` and of `str(x)`; empty where that cannot be told."""
    value = node.value if isinstance(node, ast.FormattedValue) else None
    if isinstance(node, ast.Call) and len(node.args) == 1:
        value = node.args[0]
    return module.source_of(value) if value is not None else ""
