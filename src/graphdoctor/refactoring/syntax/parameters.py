"""More parameters of a function, and more arguments of a call."""

import ast
import re
from collections.abc import Mapping, Sequence

from graphdoctor.model import Edit
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module

END_OF_PARAMETERS = re.compile(r"\s*,?\s*\)\s*(->|:)")
NO_PARAMETERS = re.compile(r"\s*def\s+\w+\s*\((?=\s*\)\s*(->|:))")


def one_more_parameter(function: Function, name: str) -> Edit | None:
    """The edit for a parameter that calls give by its name; None where it has no plain end to stand at."""
    return more_parameters(function, [name])


def more_parameters(function: Function, names: Sequence[str]) -> Edit | None:
    """The edit for parameters that calls give by their names."""
    own, home = function.node.args, function.home
    written: list[ast.arg | ast.expr] = [*own.posonlyargs, *own.args, *own.kwonlyargs, *own.defaults]
    written += filter(None, own.kw_defaults)
    if own.vararg or own.kwarg:
        return None
    if not written:
        return _first_parameters(function, names)
    last = max(written, key=lambda each: (each.lineno, each.col_offset))
    end = last.end_lineno or last.lineno
    rest = home.lines[end - 1].encode()[last.end_col_offset or 0 :].decode()
    ends = END_OF_PARAMETERS.match("\n".join([rest, *home.lines[end : end + 2]]))
    start = ", *, " if own.defaults and not own.kwonlyargs else ", "
    return home.insert_behind(last, f"{start}{', '.join(names)}") if ends else None


def _first_parameters(function: Function, names: Sequence[str]) -> Edit | None:
    line = function.node.lineno
    head = NO_PARAMETERS.match(function.home.lines[line - 1])
    return function.home.insert(line, head.end() + 1, ", ".join(names)) if head else None


def one_more_argument(module: Module, call: ast.Call, name: str, value: str) -> Edit | None:
    """The edit that gives a call one more argument by its name."""
    return more_arguments(module, call, {name: value})


def more_arguments(module: Module, call: ast.Call, given: Mapping[str, str]) -> Edit | None:
    """The edit that gives a call more arguments by their names, in this order."""
    written = [*call.args, *(each.value for each in call.keywords)]
    added = ", ".join(f"{name}={value}" for name, value in given.items())
    if not written:
        text = module.source_of(call)
        return module.replace(call, f"{text[:-2]}({added})") if text.endswith("()") else None
    rest = module.source_of(call).rpartition(module.source_of(written[-1]))[2]
    plain = re.fullmatch(r"\s*,?\s*\)", rest)
    return module.insert_behind(written[-1], f", {added}") if plain else None


def is_default_of_parameter(module: Module, value: ast.expr) -> bool:
    """Whether an expression is what a parameter has where a call gives it nothing."""
    return any(
        each is value
        for node in ast.walk(module.tree)
        if isinstance(node, ast.arguments)
        for each in (*node.defaults, *node.kw_defaults)
    )
