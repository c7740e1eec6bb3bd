"""A watched trace → a mark for each line of a function."""

import ast
import linecache
import types
from collections import Counter, defaultdict

from graphdoctor.autograph.conversion.notes import note_for
from graphdoctor.autograph.facts import Line, Mark
from graphdoctor.autograph.statements import COMPOUND, LOOPS, SILENT, line_range, statements_of
from graphdoctor.autograph.traces.noticed import Decision
from graphdoctor.autograph.traces.tracing import Traced

GRAPH_LOOPS = ("for", "while")


def mark_lines(traced: Traced, code: types.CodeType) -> tuple[Line, ...]:
    """Every line of the function's source, with what became of the statement that starts there."""
    path, lines = code.co_filename, line_range(code)
    counts = operations_by_line(traced, path, lines)
    decisions = _decisions(traced, path)
    found = []
    for number in lines:
        text = linecache.getline(path, number).rstrip("\n")
        statement = statements_of(path).get(number)
        if statement is None or _is_text(statement) or statement.lineno != number:
            found.append(Line(number=number, text=text))
            continue
        mark, count = _mark(traced, statement, path, counts[number], decisions[number])
        if _is_failure(traced, path, number):
            mark = Mark.ERROR
        notes = note_for(traced, statement, mark, count, decisions[number], counts[number])
        found.append(Line(number=number, text=text, mark=mark, count=count, notes=notes))
    return tuple(found)


def operations_by_line(traced: Traced, path: str, lines: range) -> defaultdict[int, Counter[str]]:
    """Operation types by line: an operation belongs to the innermost line of this function that led to it."""
    counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for operation in traced.operations:
        own = [line for frame, line in operation.frames if frame == path and line in lines]
        if own and not operation.is_plumbing:
            counts[own[-1]][operation.type] += 1
    return counts


def _decisions(traced: Traced, path: str) -> defaultdict[int, list[Decision]]:
    found: defaultdict[int, list[Decision]] = defaultdict(list)
    for decision in traced.watch.decisions:
        if decision.place[0] == path:
            found[decision.place[1]].append(decision)
    return found


def _is_text(statement: ast.stmt) -> bool:
    """A docstring, or a text that serves as a comment: Python makes no code of it."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_failure(traced: Traced, path: str, number: int) -> bool:
    return (
        traced.error is not None
        and traced.watch.failed_at is not None
        and traced.watch.failed_at[1] == (path, number)
    )


def _mark(
    traced: Traced, statement: ast.stmt, path: str, operations: Counter[str], decisions: list[Decision]
) -> tuple[Mark | None, int]:
    runs = traced.watch.lines[(path, statement.lineno)]
    if isinstance(statement, SILENT):
        return None, 0
    if runs == 0 and not operations:
        return Mark.NOT_RUN, 0
    if isinstance(statement, LOOPS):
        return _mark_loop(traced, statement, path, decisions)
    if isinstance(statement, ast.If):
        staged = any(decision.staged for decision in decisions if decision.kind == "if")
        return (Mark.GRAPH_BRANCH if staged else Mark.PYTHON), operations.total()
    if operations:
        only_constants = set(operations) == {"Const"}
        return (Mark.CONSTANT if only_constants else Mark.OPERATIONS), operations.total()
    return _mark_python(traced, statement, path, runs)


def _mark_loop(
    traced: Traced, statement: ast.For | ast.AsyncFor | ast.While, path: str, decisions: list[Decision]
) -> tuple[Mark, int]:
    loops = [decision for decision in decisions if decision.kind in GRAPH_LOOPS]
    if any(decision.staged for decision in loops):
        return Mark.GRAPH_LOOP, len(loops)
    if loops:
        return Mark.UNROLLED, sum(decision.runs for decision in loops)
    return Mark.UNROLLED, _iterations(traced, statement, path)


def _iterations(traced: Traced, loop: ast.For | ast.AsyncFor | ast.While, path: str) -> int:
    """How often the body began, by what stands first in it; the head of a loop runs more often."""
    first = loop.body[0]
    runs = traced.watch.lines[(path, first.lineno)]
    if not isinstance(first, LOOPS):
        return runs
    others = [each for each in loop.body if not isinstance(each, COMPOUND) and not _is_text(each)]
    if others:
        return traced.watch.lines[(path, others[0].lineno)]
    return max(1, runs - _iterations(traced, first, path)) if runs else 0


def _mark_python(traced: Traced, statement: ast.stmt, path: str, runs: int) -> tuple[Mark | None, int]:
    """A statement that made no operation: it ran while tracing, and what it did is not in the graph."""
    if isinstance(statement, (*COMPOUND, ast.Return, ast.Break, ast.Continue)):
        return None, 0
    if _has_side_effect(statement):
        return Mark.ONCE, runs
    values = traced.watch.values.get((path, statement.lineno), {})
    if values and all(value.kind == "python" for value in values.values()) and not _is_literal(statement):
        return Mark.CONSTANT, 0
    return Mark.PYTHON, runs


def _has_side_effect(statement: ast.stmt) -> bool:
    """Whether a statement changes something beyond the function's own locals, as far as its form tells."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Call)
    targets = (
        statement.targets
        if isinstance(statement, (ast.Assign, ast.Delete))
        else [statement.target]
        if isinstance(statement, (ast.AugAssign, ast.AnnAssign))
        else []
    )
    return any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in targets)


def _is_literal(statement: ast.stmt) -> bool:
    value = getattr(statement, "value", None)
    if value is None:
        return True
    return not any(isinstance(node, (ast.Call, ast.Attribute, ast.Name)) for node in ast.walk(value))
