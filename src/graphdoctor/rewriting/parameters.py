"""One more parameter of a function, and one more argument of a call."""

import ast
import re

from graphdoctor.model import Edit
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module

END_OF_PARAMETERS = re.compile(r"\s*,?\s*\)\s*(->|:)")


def one_more_parameter(function: Function, name: str) -> Edit | None:
    """The edit for a parameter that calls give by its name; None where it has no plain end to stand at."""
    own, home = function.node.args, function.home
    written: list[ast.arg | ast.expr] = [*own.posonlyargs, *own.args, *own.kwonlyargs, *own.defaults]
    written += filter(None, own.kw_defaults)
    if own.vararg or own.kwarg or not written:
        return None
    last = max(written, key=lambda each: (each.lineno, each.col_offset))
    end = last.end_lineno or last.lineno
    rest = home.lines[end - 1].encode()[last.end_col_offset or 0 :].decode()
    ends = END_OF_PARAMETERS.match("\n".join([rest, *home.lines[end : end + 2]]))
    text = f", *, {name}" if own.defaults and not own.kwonlyargs else f", {name}"
    return home.insert_behind(last, text) if ends else None


def one_more_argument(module: Module, call: ast.Call, name: str, value: str) -> Edit | None:
    """The edit that gives a call one more argument by its name."""
    written = [*call.args, *(each.value for each in call.keywords)]
    if not written:
        text = module.source_of(call)
        return module.replace(call, f"{text[:-2]}({name}={value})") if text.endswith("()") else None
    rest = module.source_of(call).rpartition(module.source_of(written[-1]))[2]
    plain = re.fullmatch(r"\s*,?\s*\)", rest)
    return module.insert_behind(written[-1], f", {name}={value}") if plain else None
