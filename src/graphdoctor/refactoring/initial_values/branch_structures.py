"""Branches that give other structures: the missing parts, or a flag that Python knows."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.initial_values.zeros import Kind, blank
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.surroundings import Body

CONSTANTS = ("tensorflow.constant", "tensorflow.convert_to_tensor")


def as_python(module: Module, given: ast.AST) -> Edit | None:
    """`tf.constant(True)` as `True`, `tf.constant(5)` as `5`."""
    if not isinstance(given, ast.Call) or len(given.args) != 1 or given.keywords:
        return None
    value = given.args[0]
    named = dotted_name(given.func, module.scope_at(given))
    flag = isinstance(value, ast.Constant) and isinstance(value.value, bool | int)
    return module.replace(given, module.source_of(value)) if named in CONSTANTS and flag else None


def fill_up(body: Body, first: ast.expr | None, second: ast.expr | None) -> Edit | None:
    """Zeros for the parts that one of two written structures has, and the other has not."""
    if isinstance(first, ast.Dict) and isinstance(second, ast.Dict):
        return _fill_dict(body, first, second) or _fill_dict(body, second, first)
    if isinstance(first, ast.Tuple | ast.List) and type(first) is type(second):
        assert isinstance(second, ast.Tuple | ast.List)
        short, long = sorted((first, second), key=lambda each: len(each.elts))
        missing = [blank(body, part, short.lineno, Kind()) for part in long.elts[len(short.elts) :]]
        return _add(body, short, short.elts, missing)
    return None


def _fill_dict(body: Body, short: ast.Dict, long: ast.Dict) -> Edit | None:
    known = {ast.unparse(key) for key in short.keys if key is not None}
    others = {ast.unparse(key) for key in long.keys if key is not None}
    if None in (*short.keys, *long.keys) or not known < others:
        return None
    parts = [
        f"{body.home.source_of(key)}: {text}" if (text := blank(body, value, short.lineno, Kind())) else None
        for key, value in zip(long.keys, long.values, strict=True)
        if key is not None and ast.unparse(key) not in known
    ]
    return _add(body, short, short.values, parts)


def _add(body: Body, whole: ast.expr, written: list[ast.expr], parts: list[str | None]) -> Edit | None:
    """The edit that puts parts behind those that are written."""
    known = [part for part in parts if part is not None]
    text = body.home.source_of(whole)
    if not known or len(known) != len(parts) or not written or text[-1] not in "])}":
        return None
    span = body.home.span(written[-1])
    line = body.home.text_line(span) + span.end_line - span.line
    return body.home.insert(line, span.end_column, "".join(f", {part}" for part in known))


def deciding(body: Body) -> list[str]:
    """The parameters that decide the `if`s of a function."""
    tests = [node.test for node in ast.walk(body.function.node) if isinstance(node, ast.If)]
    names = {part.id for test in tests for part in ast.walk(test) if isinstance(part, ast.Name)}
    bindings = body.scope.bindings
    return sorted(name for name in names if name in bindings and bindings[name][0].kind == "parameter")


def deciding_name(node: ast.AST) -> str | None:
    """The name that decides an `if` by itself."""
    return node.test.id if isinstance(node, ast.If) and isinstance(node.test, ast.Name) else None
