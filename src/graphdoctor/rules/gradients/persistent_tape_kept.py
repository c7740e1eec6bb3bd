"""GD514."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity, Span
from graphdoctor.recording.format import Made
from graphdoctor.rewriting.tapes import Tape, find_tapes
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module


class PersistentTapeKept(Rule):
    """A persistent tape in a loop keeps the last step's intermediate results while the next step runs.

    What it finds
    `tf.GradientTape(persistent=True)` in a loop of eager code, never deleted in the loop.

    Why it matters
    A persistent tape frees nothing when it is asked. The name still holds the old tape while the next
    step fills the new one: twice the memory of a step at its peak.

    How to fix it
    `del tape` after the last question. (Not called safe: code after the loop may still want the tape.)

    When to leave it
    When the step is small. In a function the tape dies at its end.
    """

    id = "GD514"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import gc

                import tensorflow as tf

                x = tf.Variable(3.0)
                for step in range(2):
                    print(sum(isinstance(value, tf.GradientTape) for value in gc.get_objects()))
                    with tf.GradientTape(persistent=True) as tape:
                        y = x * x
                        z = y * y
                    tape.gradient(y, x)
                    tape.gradient(z, x)
                """,
            good="""
                import gc

                import tensorflow as tf

                x = tf.Variable(3.0)
                for step in range(2):
                    print(sum(isinstance(value, tf.GradientTape) for value in gc.get_objects()))
                    with tf.GradientTape(persistent=True) as tape:
                        y = x * x
                        z = y * y
                    tape.gradient(y, x)
                    tape.gradient(z, x)
                    del tape
                """,
            output=("0\n1", "0\n0"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for event in facts.of(Made):
            kept = event.what == "tape" and event.options.get("kept") == "True" and not event.trace
            if not kept or event.place is None or event.frame is None or not event.frame.loops:
                continue
            span = facts.span(event.place)
            tape = _tape_at(facts, span)
            name = f"`{tape[1].name}`" if tape else "this tape"
            yield self.finding(
                span,
                f"{name} lives on while the next turn of the loop fills another one",
                event=event,
                fix=_fix(*tape) if tape else None,
            )


def _tape_at(facts: Facts, span: Span) -> tuple[Module, Tape, ast.For | ast.While] | None:
    module = facts.sources.module(span.path)
    for tape in find_tapes(module) if module else ():
        loop = tape.loops[-1] if tape.loops else None
        if module and module.span(tape.call) == span and isinstance(loop, ast.For | ast.While):
            return module, tape, loop
    return None


def _fix(module: Module, tape: Tape, loop: ast.For | ast.While) -> Fix:
    title = f"Delete `{tape.name}` when done"
    uses = [
        statement
        for statement in loop.body
        if any(isinstance(node, ast.Name) and node.id == tape.name for node in ast.walk(statement))
    ]
    last = uses[-1] if uses else None
    leaves = any(isinstance(node, ast.Continue | ast.Break | ast.Return) for node in ast.walk(loop))
    if last is None or leaves or loop.body[0].lineno == loop.lineno:
        return Fix(title=title, safety=Safety.MANUAL)
    line = (last.end_lineno or last.lineno) - 1
    text = f"{module.lines[line]}\n{' ' * last.col_offset}del {tape.name}"
    end = len(module.lines[line]) + 1
    place = module.insert(line + 1, end, text[len(module.lines[line]) :])
    return Fix(title=title, safety=Safety.UNSAFE, edits=(place,))
