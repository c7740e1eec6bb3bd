"""`print` → `tf.print`, which speaks when the graph runs."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.formats import Filled, Part, joined_parts, parts_of_text, written_parts
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

KEPT_OPTIONS = {"sep", "end"}


def graph_print(module: Module, call: ast.Call) -> tuple[Edit, ...] | None:
    """The edits that print the same arguments in the graph; None where another text is made of them."""
    scope = module.scope_at(call)
    found = tensorflow_at(module, scope)
    options = [_option(module, keyword, scope) for keyword in call.keywords]
    if found is None or not call.args or None in options:
        return None
    tensorflow, imports = found
    edits = [edit for several in options if several for edit in several]
    if any(map(_is_formatted, call.args)):
        return _filled_in(module, call, tensorflow, imports)
    return (*edits, module.replace(call.func, f"{tensorflow}.print"), *imports)


def _is_formatted(argument: ast.expr) -> bool:
    return any(
        isinstance(node, ast.JoinedStr)
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod))
        or (isinstance(node, ast.Attribute) and node.attr == "format")
        for node in ast.walk(argument)
    )


def _option(module: Module, keyword: ast.keyword, scope: Scope) -> tuple[Edit, ...] | None:
    """The edits that an option of `print` needs; None for those that `tf.print` has nothing like."""
    if keyword.arg in KEPT_OPTIONS:
        return ()
    if keyword.arg == "file" and dotted_name(keyword.value, scope) in ("sys.stderr", "sys.stdout"):
        return (module.replace(keyword, f"output_stream={module.source_of(keyword.value)}"),)
    return None


def _filled_in(
    module: Module, call: ast.Call, tensorflow: str, imports: tuple[Edit, ...]
) -> tuple[Edit, ...] | None:
    """`print(f"loss {loss}")` as `tf.print("loss ", loss, sep="")`; what has a look of its own is joined."""
    if any(keyword.arg != "end" for keyword in call.keywords):
        return None
    parts: list[Part] = []
    for number, argument in enumerate(call.args):
        whole = parts_of_text(argument, module.source_of)
        if isinstance(argument, ast.Starred) or (whole is None and _is_formatted(argument)):
            return None
        parts += [" "] if number else []
        parts += whole if whole is not None else [Filled(module.source_of(argument))]
    end = "".join(f", {module.source_of(keyword)}" for keyword in call.keywords)
    if not any(isinstance(part, Filled) and part.has_a_look for part in parts):
        given = ", ".join(written_parts(parts))
        return module.replace(call, f'{tensorflow}.print({given}, sep=""{end})'), *imports
    joined = joined_parts(parts, tensorflow)
    return (module.replace(call, f"{tensorflow}.print({joined}{end})"), *imports) if joined else None
