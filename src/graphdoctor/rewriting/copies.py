"""An argument that a function changes → a copy of it, made in the first line."""

import ast

from graphdoctor.model import Edit
from graphdoctor.rewriting.statements import is_docstring
from graphdoctor.source.module import Module

LIST_METHODS = ("append", "extend", "insert", "reverse", "remove")


def copied_first(module: Module, change: ast.AST, name: str) -> Edit | None:
    """The edit that copies a parameter first; None where its change does not show what it is."""
    maker = _maker(change)
    around = module.scope_at(change).node
    if maker is None or not isinstance(around, ast.FunctionDef):
        return None
    first = next((statement for statement in around.body if not is_docstring(statement)), None)
    if first is None or name not in [parameter.arg for parameter in around.args.args]:
        return None
    line = module.lines[first.lineno - 1]
    indent = line[: len(line) - len(line.lstrip())]
    return module.insert(first.lineno, 1, f"{indent}{name} = {maker}({name})\n")


def _maker(change: ast.AST) -> str | None:
    if isinstance(change, ast.Subscript):
        key = change.slice
        return "dict" if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
    if isinstance(change, ast.Call) and isinstance(change.func, ast.Attribute):
        return "list" if change.func.attr in LIST_METHODS else None
    return None
