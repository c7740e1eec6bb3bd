"""A choice in a learning rate schedule: Keras calls it with a variable that `tf.function` cannot take."""

import ast

from graphdoctor.model import Edit
from graphdoctor.rewriting.bodies import Body
from graphdoctor.rewriting.imports import tensorflow_at
from graphdoctor.rewriting.resolving import class_around, definition_of
from graphdoctor.rewriting.statements import block_of, has_long_texts, is_elif, whole_if
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name

SCHEDULE = ".LearningRateSchedule"
MOST_BASES = 8


def is_schedule(function: Function) -> bool:
    """Whether a function is the `__call__` of a learning rate schedule."""
    owner = class_around(function.scope)
    named = isinstance(function.node, ast.FunctionDef) and function.node.name == "__call__"
    return named and owner is not None and _derives(function.home, owner, MOST_BASES)


def _derives(module: Module, owner: ast.ClassDef, depth: int) -> bool:
    scope = module.scope_at(owner)
    for base in owner.bases:
        if (dotted_name(base, scope) or "").endswith(SCHEDULE):
            return True
        found = definition_of(base.id, scope) if isinstance(base, ast.Name) and depth else None
        above = found[1] if found is not None else None
        if found is not None and isinstance(above, ast.ClassDef) and _derives(found[0], above, depth - 1):
            return True
    return False


def chosen_by_where(body: Body, node: ast.AST) -> tuple[Edit, ...] | None:
    """The edits that compute both ways of an `if` and choose by value; None where one does more than that.

    No gradient goes through a rate, so that what the other way gives does no harm.
    """
    module, branch = body.home, whole_if(body, node)
    found = tensorflow_at(module, body.scope)
    if branch is None or found is None or is_elif(body, branch) or has_long_texts(branch):
        return None
    block = block_of(body, branch)
    following = block[block.index(branch) + 1 :] if branch in block else []
    ways = _ways(branch, following)
    target = ways[0][1] if ways else None
    if target is None or any(each != target for _, each, _ in ways):
        return None
    if not all(_may_be_given(test, value) for test, _, value in ways):
        return None
    *_, (_, _, chosen) = ways
    text = module.source_of(chosen)
    for test, _, value in reversed(ways[:-1]):
        assert test is not None
        text = f"{found[0]}.where({module.source_of(test)}, {module.source_of(value)}, {text})"
    indent = module.lines[branch.lineno - 1][: branch.col_offset]
    last = branch if branch.orelse or target != "return" else following[0]
    if indent.strip() or ";" in module.lines[(last.end_lineno or last.lineno) - 1]:
        return None
    line = f"{indent}{target} {text}\n" if target == "return" else f"{indent}{target} = {text}\n"
    return (module.replace_lines(branch.lineno, last.end_lineno or last.lineno, line), *found[1])


Way = tuple[ast.expr | None, str, ast.expr]


def _ways(branch: ast.If, following: list[ast.stmt]) -> list[Way]:
    """What each way through an `if` gives, and to which name, or that it is returned; none unless all do."""
    first = _given(branch.body)
    if first is None:
        return []
    rest = branch.orelse or (following if first[0] == "return" else [])
    if len(rest) == 1 and isinstance(rest[0], ast.If):
        others = _ways(rest[0], [])
    else:
        last = _given(rest)
        others = [(None, *last)] if last is not None else []
    return [(branch.test, *first), *others] if others else []


def _given(block: list[ast.stmt]) -> tuple[str, ast.expr] | None:
    statement = block[0] if len(block) == 1 else None
    if isinstance(statement, ast.Return) and statement.value is not None:
        return "return", statement.value
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        return (target.id, statement.value) if isinstance(target, ast.Name) else None
    return None


def _may_be_given(test: ast.expr | None, value: ast.expr) -> bool:
    """Whether a test is one comparison, and a value one that can stand beside a rate: no whole number."""
    parts = list(ast.walk(test)) if test is not None else []
    compared = sum(isinstance(part, ast.cmpop) for part in parts)
    joined = any(isinstance(part, ast.boolop | ast.Not | ast.NamedExpr) for part in parts)
    in_lines = value.lineno == value.end_lineno
    whole = isinstance(value, ast.Constant) and type(value.value) is not float
    return (test is None or (compared == 1 and not joined)) and not whole and in_lines
