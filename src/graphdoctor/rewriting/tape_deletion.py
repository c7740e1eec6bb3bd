"""A tape that lives on in a loop → `del tape` after its last use."""

import ast

from graphdoctor.model import Edit, Span
from graphdoctor.rewriting.tapes import Tape, find_tapes
from graphdoctor.source.module import Module


def tape_in_loop(module: Module, span: Span) -> Tape | None:
    """The tape that is made there, in a `for` or `while`."""
    return next((t for t in find_tapes(module) if module.span(t.call) == span and _loop_of(t)), None)


def deleted_after_use(module: Module, tape: Tape) -> Edit | None:
    """The edit that deletes a tape after the last statement of its loop that names it."""
    loop = _loop_of(tape)
    uses = [
        statement
        for statement in (loop.body if loop is not None else ())
        if any(isinstance(node, ast.Name) and node.id == tape.name for node in ast.walk(statement))
    ]
    if loop is None or not uses or loop.body[0].lineno == loop.lineno:
        return None
    if any(isinstance(node, ast.Continue | ast.Break | ast.Return) for node in ast.walk(loop)):
        return None
    last = uses[-1]
    line = last.end_lineno or last.lineno
    return module.insert(line, len(module.lines[line - 1]) + 1, f"\n{' ' * last.col_offset}del {tape.name}")


def _loop_of(tape: Tape) -> ast.For | ast.While | None:
    loop = tape.loops[-1] if tape.loops else None
    return loop if isinstance(loop, ast.For | ast.While) else None
