"""`print` → `tf.print`, which speaks when the graph runs."""

import ast

from graphdoctor.model import Edit
from graphdoctor.rewriting.imports import tensorflow_at
from graphdoctor.rewriting.texts import quoted
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

KEPT_OPTIONS = {"sep", "end"}


def graph_print(module: Module, call: ast.Call) -> tuple[Edit, ...] | None:
    """The edits that print the same arguments in the graph; None where they are made into a text first."""
    scope = module.scope_at(call)
    found = tensorflow_at(module, scope)
    options = [_option(module, keyword, scope) for keyword in call.keywords]
    if found is None or not call.args or None in options or any(map(_is_formatted, call.args)):
        return None
    tensorflow, imports = found
    edits = [edit for several in options if several for edit in several]
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


def graph_print_of_text(module: Module, call: ast.Call) -> tuple[Edit, ...] | None:
    """`print(f"loss {loss:.2f}")` as `tf.print("loss ", loss, sep="")`; None where it is no such text."""
    found = tensorflow_at(module, module.scope_at(call))
    text = call.args[0] if len(call.args) == 1 else None
    if found is None or call.keywords or not isinstance(text, ast.JoinedStr):
        return None
    pieces: list[str] = []
    for part in text.values:
        if isinstance(part, ast.Constant):
            pieces.append(quoted(str(part.value)))
        elif isinstance(part, ast.FormattedValue):
            pieces.append(ast.unparse(part.value))
    return module.replace(call, f'{found[0]}.print({", ".join(pieces)}, sep="")'), *found[1]
