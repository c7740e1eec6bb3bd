"""How a tape is opened, asked and left: `persistent=True`, the question after the block, `del tape`."""

import ast
import textwrap

from graphdoctor.model import Edit, Span
from graphdoctor.refactoring.syntax.graph_functions import added
from graphdoctor.refactoring.tapes.blocks import Question, Tape, find_tapes
from graphdoctor.source.def_use import names_read
from graphdoctor.source.module import Module


def tape_in_loop(module: Module, span: Span) -> Tape | None:
    """The tape that is made there, in a `for` or `while`."""
    return next((t for t in find_tapes(module) if module.span(t.call) == span and _loop_of(t)), None)


def deleted_after_use(module: Module, tape: Tape) -> Edit | None:
    """The edit that deletes a tape after the last statement of its loop that names it."""
    loop = _loop_of(tape)
    body = loop.body if loop is not None else []
    uses = [each for each in body if tape.name in names_read(each)]
    if loop is None or not uses or loop.body[0].lineno == loop.lineno:
        return None
    if any(isinstance(node, ast.Continue | ast.Break | ast.Return) for node in ast.walk(loop)):
        return None
    last = uses[-1]
    line = last.end_lineno or last.lineno
    return module.insert(line, len(module.lines[line - 1]) + 1, f"\n{' ' * last.col_offset}del {tape.name}")


def made_persistent(module: Module, tape: Tape) -> Edit | None:
    """The edit that lets a tape be asked more than once; None where it says whether it may."""
    if tape.option("persistent", 0) is not None:
        return None
    return added(module, tape.call, "persistent=True")


def asked_after(module: Module, tape: Tape, question: Question) -> Edit | None:
    """The edit that asks after the block of the tape; None unless that is its last statement."""
    statement, block = question.statement, tape.node.body
    if len(block) < 2 or block[-1] is not statement:
        return None
    end = statement.end_lineno or statement.lineno
    text = "\n".join(module.lines[statement.lineno - 1 : end])
    moved = textwrap.indent(textwrap.dedent(text), " " * tape.node.col_offset)
    return module.replace_stretch(statement.lineno, 1, end, len(module.lines[end - 1]) + 1, moved)


def _loop_of(tape: Tape) -> ast.For | ast.While | None:
    loop = tape.loops[-1] if tape.loops else None
    return loop if isinstance(loop, ast.For | ast.While) else None
