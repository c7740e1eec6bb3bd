"""Options of `tf.function` that are better left out or called otherwise, and decorators."""

import ast
import dataclasses
import re

from graphdoctor.model import Edit, Span
from graphdoctor.refactoring.syntax.graph_functions import decorator_of, wrapping_of
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name


def without_option(function: Function, option: str) -> Edit | None:
    """The `tf.function` that makes a function one, without an option; None where that is not written here."""
    module, maker = function.home, decorator_of(function) or wrapping_of(function)
    if not isinstance(maker, ast.Call):
        return None
    given = [*maker.args, *maker.keywords]
    kept = [module.source_of(each) for each in given if getattr(each, "arg", None) != option]
    if len(kept) == len(given):
        return None
    options = f"({', '.join(kept)})" if kept else ""
    return module.replace(maker, f"{module.source_of(maker.func)}{options}")


def without_decorator(function: Function, name: str) -> Edit | None:
    """The function without a decorator, with its line."""
    module, scope = function.home, function.placed.scope
    for decorator in getattr(function.node, "decorator_list", []):
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if dotted_name(called, scope) == name:
            return module.replace_lines(decorator.lineno, decorator.end_lineno or decorator.lineno, "")
    return None


def decorated(function: Function) -> tuple[Edit, ...] | None:
    """`@tf.function` on a function that has no decorator yet, with the import in a file of Keras alone."""
    node, module = function.node, function.home
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return None
    found = tensorflow_at(module, function.placed.scope)
    indent = module.lines[node.lineno - 1][: node.col_offset]
    if found is None or indent.strip():
        return None
    tensorflow, imports = found
    return (module.insert(node.lineno, 1, f"{indent}@{tensorflow}.function\n"), *imports)


@dataclasses.dataclass(frozen=True)
class Keyword:
    """An option as a call gives it."""

    module: Module
    call: ast.Call
    node: ast.keyword

    @property
    def span(self) -> Span:
        """Where it stands, with its value."""
        return self.module.span(self.node)


def keyword_with(module: Module, value: ast.AST, name: str) -> Keyword | None:
    """The option of this name that is given a value."""
    for placed in module.walk.calls:
        for keyword in placed.node.keywords if isinstance(placed.node, ast.Call) else ():
            if keyword.value is value and keyword.arg == name and isinstance(placed.node, ast.Call):
                return Keyword(module, placed.node, keyword)
    return None


def renamed(keyword: Keyword, name: str) -> Edit:
    """The edit that calls an option by another name."""
    module, span = keyword.module, keyword.span
    end = span.column + len(keyword.node.arg or "")
    return module.replace_columns(module.text_line(span), span.column, end, name)


def left_out(keyword: Keyword) -> Edit | None:
    """The edit that takes an option out, with its comma; None where that stands on another line."""
    module, span, call = keyword.module, keyword.span, keyword.call
    line = module.text_line(span)
    text = module.lines[line - 1]
    before, after = text[: span.column - 1], text[span.end_column - 1 :]
    first, last = span.column, span.end_column
    if (following := re.match(r"\s*,\s*", after)) is not None:
        last += following.end()
    elif (leading := re.search(r"\s*,\s*$", before)) is not None:
        first -= len(leading[0])
    elif call.args or len(call.keywords) > 1:
        return None
    return module.replace_columns(line, first, last, "")
