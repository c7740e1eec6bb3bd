"""An argument that a function changes → a copy of it, made in the first line."""

import ast
from collections.abc import Sequence

from graphdoctor.model import Edit
from graphdoctor.source.functions import Function
from graphdoctor.source.names import module_alias
from graphdoctor.source.surroundings import is_docstring

LIST_METHODS = ("append", "extend", "insert", "reverse", "remove")


def copied_first(function: Function, name: str, maker: str | None) -> Edit | None:
    """The edit that copies a parameter of a graph function first of all; without `maker` all its parts.

    Not where it is changed: a function that is called there may change it for the one that calls it.
    """
    node, module = function.node, function.home
    if not isinstance(node, ast.FunctionDef):
        return None
    first = next((statement for statement in node.body if not is_docstring(statement)), None)
    named = [parameter.arg for parameter in (*node.args.args, *node.args.kwonlyargs)]
    if first is None or name not in named or first.lineno == node.lineno:
        return None
    start = min([first.lineno, *(each.lineno for each in getattr(first, "decorator_list", []))])
    line = module.lines[start - 1]
    indent = line[: len(line) - len(line.lstrip())]
    tensorflow = module_alias("tensorflow", function.scope)
    if maker is not None:
        return module.insert(start, 1, f"{indent}{name} = {maker}({name})\n")
    copied = f"{tensorflow}.nest.map_structure(lambda part: part, {name})"
    return module.insert(start, 1, f"{indent}{name} = {copied}\n") if tensorflow is not None else None


def is_whole(change: ast.AST, calls: Sequence[ast.AST], name: str) -> bool:
    """Whether a parameter itself is changed, and no part of it; `calls` lead to the change."""
    changed = (
        change.func.value if isinstance(change, ast.Call) and isinstance(change.func, ast.Attribute) else None
    )
    changed = change.value if isinstance(change, ast.Subscript) else changed
    if not isinstance(changed, ast.Name) or len(calls) > 1:
        return False
    if not calls:
        return changed.id == name
    given = (
        [*calls[0].args, *(each.value for each in calls[0].keywords)]
        if isinstance(calls[0], ast.Call)
        else []
    )
    spelled = [each for each in ast.walk(calls[0]) if isinstance(each, ast.Name) and each.id == name]
    return len(spelled) == 1 and spelled[0] in given


def maker_of(change: ast.AST) -> str | None:
    """What makes a copy of what a statement changes; None where that does not show what it is."""
    if isinstance(change, ast.Subscript):
        key = change.slice
        return "dict" if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
    if isinstance(change, ast.Call) and isinstance(change.func, ast.Attribute):
        return "list" if change.func.attr in LIST_METHODS else None
    return None
