"""A value that has no name → one with a name, on the line before."""

import ast
import re

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.expressions import in_one_piece
from graphdoctor.source.module import Module
from graphdoctor.source.surroundings import indent_of, statement_around

MAKING = re.compile(r"^_*(?:make|build|create|get|new)_(?=[a-z])")

# What is evaluated in these is evaluated later, several times, or perhaps not at all.
DEFERRING = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr)
PERHAPS = (ast.IfExp, ast.BoolOp)
PLAIN = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)


def keep(module: Module, call: ast.AST) -> tuple[Edit, ...] | None:
    """The edits that give what a call makes a name, before the statement that uses it."""
    if not isinstance(call, ast.Call):
        return None
    name = name_for(call)
    line = name_before(module, call, name, DEFERRING)
    return (line, module.replace(call, name)) if line is not None else None


def name_first(module: Module, value: ast.expr, name: str) -> Edit | None:
    """The line that names a value, where nothing else is called before it and it is always needed."""
    statement = statement_around(module, value)
    parts = list(ast.walk(statement)) if statement is not None else []
    calls = [each for each in parts if isinstance(each, ast.Call | ast.Await)]
    if any(_end(each) <= _start(value) for each in calls):
        return None
    return name_before(module, value, name, (*DEFERRING, *PERHAPS))


def name_before(module: Module, value: ast.expr, name: str, closed: tuple[type[ast.AST], ...]) -> Edit | None:
    """The line that names a value, before its statement; None in what is `closed`, or for a taken name."""
    statement = statement_around(module, value)
    if not isinstance(statement, PLAIN):
        return None
    if any(isinstance(part, closed) and value in ast.walk(part) for part in ast.walk(statement)):
        return None
    indent = indent_of(module, statement)
    if indent is None or module.scope_at(value).lookup(name) is not None:
        return None
    return module.insert(statement.lineno, 1, f"{indent}{name} = {in_one_piece(module.source_of(value))}\n")


def _start(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


def name_for(call: ast.Call) -> str:
    """`keras.layers.LayerNormalization(…)` is a `layer_normalization`, what `make_gate(…)` gives a `gate`."""
    last = ast.unparse(call.func).rpartition(".")[2]
    return MAKING.sub("", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", last).lower())
