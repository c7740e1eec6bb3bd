"""Texts with tensors in them → operations that make the text when the graph runs."""

import ast

from graphdoctor.model import Edit
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
    template, values = _parts(module, text)
    if template is None or not values:
        return None
    inputs = values[0] if len(values) == 1 else f"({', '.join(values)})"
    made = f"{tensorflow}.strings.format({quoted(template)}, {inputs})"
    return (module.replace(_converted(module, text), made), *imports)


def _whole_text(module: Module, node: ast.AST) -> ast.expr | None:
    """The f-string, `str(x)` or `"…".format(x)` to which a node belongs."""
    for each in ast.walk(module.tree):
        if isinstance(each, ast.JoinedStr) and any(part is node for part in ast.walk(each)):
            return each
    return node if isinstance(node, ast.Call) else None


def _parts(module: Module, text: ast.expr) -> tuple[str | None, list[str]]:
    """The text with `{}` for each value, and the values."""
    if isinstance(text, ast.JoinedStr):
        template = ""
        values: list[str] = []
        for part in text.values:
            if isinstance(part, ast.FormattedValue):
                if part.format_spec is not None or part.conversion != -1:
                    return None, []
                template, values = template + "{}", [*values, ast.unparse(part.value)]
            elif isinstance(part, ast.Constant):
                template += str(part.value)
        plain = template.replace("{}", "")
        return (template, values) if "{" not in plain and "}" not in plain else (None, [])
    if not isinstance(text, ast.Call) or text.keywords or not text.args:
        return None, []
    given = [module.source_of(each) for each in text.args]
    if isinstance(text.func, ast.Name) and text.func.id == "str" and len(given) == 1:
        return "{}", given
    method = text.func if isinstance(text.func, ast.Attribute) and text.func.attr == "format" else None
    receiver = method.value if method is not None else None
    if isinstance(receiver, ast.Constant) and isinstance(receiver.value, str):
        alone = receiver.value.count("{}") == len(given) == receiver.value.count("{")
        return (receiver.value, given) if alone else (None, [])
    return None, []


def _converted(module: Module, text: ast.expr) -> ast.expr:
    """The text, or the `tf.constant(…)` right around it."""
    for each in ast.walk(module.tree):
        alone = isinstance(each, ast.Call) and each.args == [text] and not each.keywords
        if alone and isinstance(each, ast.Call) and dotted_name(each.func, module.scope_at(each)) in MAKERS:
            return each
    return text


def quoted(text: str) -> str:
    """A text as a Python literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def value_in_text(module: Module, node: ast.AST) -> str:
    """What a text is made of at a place: `x` of `{x}` and of `str(x)`; empty where that cannot be told."""
    value = node.value if isinstance(node, ast.FormattedValue) else None
    if isinstance(node, ast.Call) and len(node.args) == 1:
        value = node.args[0]
    return module.source_of(value) if value is not None else ""
