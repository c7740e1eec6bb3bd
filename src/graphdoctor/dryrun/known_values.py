"""What the dry run knows of the values on one line: for `check --why FILE:LINE`."""

import ast
import contextlib
import dataclasses
import os
from collections.abc import Callable, Iterator
from typing import Any

import graphdoctor.dryrun.recorder  # noqa: F401 - registers what evaluates expressions
from graphdoctor.dryrun.core.machine import EXPRESSIONS, Machine
from graphdoctor.dryrun.values import Library, Value, term_of
from graphdoctor.recording.format import MAY, SOME
from graphdoctor.recording.format import Value as Described

REACHED = {MAY: "if an unknown condition holds", SOME: "in some runs"}
OBVIOUS = (ast.Constant, ast.expr_context)


@dataclasses.dataclass(frozen=True)
class KnownValue:
    """One thing that an expression is, with where and how the line is reached."""

    column: int
    expression: str
    value: str
    context: str


@contextlib.contextmanager
def noted_on(path: str, line: int) -> Iterator[dict[KnownValue, None]]:
    """While open, the values of all expressions that begin on a line, each once, in order."""
    found: dict[KnownValue, None] = {}
    wanted, before = os.path.abspath(path), dict(EXPRESSIONS)
    texts: dict[str, str] = {}  # of the file: one in which a fix is tried is another program

    def noting(evaluate: Callable[[Machine, Any], Value]) -> Callable[[Machine, Any], Value]:
        def evaluated(machine: Machine, node: Any) -> Value:
            value = evaluate(machine, node)
            here = getattr(node, "lineno", 0) == line and not isinstance(node, OBVIOUS)
            if here and not isinstance(value, Library) and os.path.abspath(machine.module.path) == wanted:
                if machine.module.syntax.text != texts.setdefault(wanted, machine.module.syntax.text):
                    return value
                known = KnownValue(
                    node.col_offset, ast.unparse(node), _text(machine, value), _context(machine)
                )
                found[known] = None
            return value

        return evaluated

    for kind, evaluate in before.items():
        EXPRESSIONS[kind] = noting(evaluate)
    try:
        yield found
    finally:
        EXPRESSIONS.update(before)


def _text(machine: Machine, value: Value) -> str:
    """A value in words: what it is, and where it differs from iteration to iteration."""
    known: Described = machine.log.describe(value)
    parts = [_kind(known)]
    term = term_of(value)
    if term is not None and any(atom.op != "unknown" for atom, _ in term.parts):
        parts.append(str(term))
    for each in known.varies:
        few = "one of a few, " if each.few else ""
        axis = f" along axis {each.axis}" if each.axis is not None else ""
        parts.append(f"{few}another {each.what}{axis} at each iteration of the loop in line {each.loop.line}")
    if known.made is not None:
        parts.append(f"made in line {known.made.line}")
    return "; ".join(parts)


def _kind(known: Described) -> str:
    if known.kind == "value":
        return known.text or f"a Python {known.type}, value unknown"
    shape = "" if known.shape is None else " " + str(list(known.shape)).replace("None", "?")
    size = f" of {known.length}" if known.length else ""
    named = known.type or known.dtype
    return f"{known.kind or 'unknown'}{' ' + named if named else ''}{shape}{size}"


def _context(machine: Machine) -> str:
    """How the line is reached, and who traces it."""
    graph = machine.graph
    root = graph.root if graph is not None else None
    traced = "in eager code"
    if root is not None:
        definition = machine.log.traced_definition(root.function) if root.function is not None else None
        traced = f"traced by `{definition.name}`" if definition is not None else "in a graph"
    called = "called by the program" if machine.is_program else "called with unknown arguments"
    return ", ".join(filter(None, (traced, REACHED.get(machine.reached, ""), called)))
