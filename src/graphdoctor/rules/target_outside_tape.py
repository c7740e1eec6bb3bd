"""GD502."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradient_evidence import missing
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.kinds import kind_of
from graphdoctor.source.names import dotted_name
from graphdoctor.source.tapes import Question, Tape, assignments, find_tapes


class TargetOutsideTape(Rule):
    """What is computed after the tape is closed is not on it: the gradient is None.

    What it finds
    A target of `tape.gradient`, or a part of it, that is computed outside the `with` block: a sum of
    two losses, an index into the logits, a mean. From a run also what ran before the tape was
    opened, or while it was paused.

    Why it matters
    The tape knows the operations that run inside its block. One step outside, and the target has no
    history: every gradient is None.

    How to fix it
    Compute the target inside the block, up to the very value that is differentiated.

    When to leave it
    Never.
    """

    id = "GD502"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                w = tf.Variable([1.0, 2.0])
                with tf.GradientTape() as tape:
                    data_loss = tf.reduce_sum(w * w)
                    penalty = tf.reduce_sum(w)
                loss = data_loss + penalty
                print(tape.gradient(loss, w))
                """,
            good="""
                import tensorflow as tf

                w = tf.Variable([1.0, 2.0])
                with tf.GradientTape() as tape:
                    data_loss = tf.reduce_sum(w * w)
                    penalty = tf.reduce_sum(w)
                    loss = data_loss + penalty
                print(tape.gradient(loss, w))
                """,
            output=("None", "tf.Tensor([3. 5.], shape=(2,), dtype=float32)"),
        ),
        Example(
            bad="""
                import tensorflow as tf

                w = tf.Variable([[1.0, 2.0]])
                with tf.GradientTape() as tape:
                    logits = tf.square(w)
                print(tape.gradient(logits[:, 1], w))
                """,
            good="""
                import tensorflow as tf

                w = tf.Variable([[1.0, 2.0]])
                with tf.GradientTape() as tape:
                    logits = tf.square(w)
                    target = logits[:, 1]
                print(tape.gradient(target, w))
                """,
            output=("None", "tf.Tensor([[0. 4.]], shape=(1, 2), dtype=float32)"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for tape in find_tapes(module):
            for question in tape.questions:
                if tape.holds(question.node) or question.scope is not tape.scope:
                    continue
                found = _outside(tape, question)
                if found is None:
                    continue
                traced = module.traced_around(question.scope)
                yield self.finding(
                    module.span(found.value if isinstance(found, ast.Assign) else found),
                    f"this is computed after `{tape.name}` is closed: the gradient is None",
                    traced.function.ref if traced else None,
                    fix=_fix(module, tape, question, found),
                )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"outside": "Compute it inside the tape"})


def _outside(tape: Tape, question: Question) -> ast.Assign | ast.expr | None:
    """The assignment or expression outside the tape that makes the target from what is inside."""
    target = question.target
    if isinstance(target, ast.Name):
        after = [
            node
            for node in tape.bindings(target.id)
            if isinstance(node, ast.Assign)
            and (tape.node.end_lineno or 0) < node.lineno <= question.node.lineno
        ]
        return after[-1] if after and _computes(after[-1].value, tape) else None
    return target if target is not None and _computes(target, tape) else None


def _computes(value: ast.expr, tape: Tape) -> bool:
    """Whether an expression computes a tensor from one that was made in the tape."""
    inside = {name for name, _, _ in assignments(tape)}
    if not any(isinstance(node, ast.Name) and node.id in inside for node in ast.walk(value)):
        return False
    if isinstance(value, ast.BinOp | ast.UnaryOp):
        return True
    if isinstance(value, ast.Call):
        return (dotted_name(value.func, tape.scope) or "").startswith("tensorflow.")
    return isinstance(value, ast.Subscript) and kind_of(value.value, tape.scope) is Kind.TENSOR


def _fix(module: Module, tape: Tape, question: Question, found: ast.Assign | ast.expr) -> Fix:
    title = "Compute it inside the tape"
    indent = " " * tape.node.body[-1].col_offset
    end = (tape.node.end_lineno or 0) + 1
    if tape.node.body[0].lineno == tape.node.lineno or end > len(module.lines):
        return Fix(title=title, safety=Safety.MANUAL)
    if isinstance(found, ast.expr):
        name = "target" if not tape.bindings("target") else "differentiated"
        edits = (
            module.insert_after(end - 1, f"{indent}{name} = {module.source_of(found)}\n"),
            module.replace(found, name),
        )
        return Fix(title=title, safety=Safety.UNSAFE, edits=edits)
    adjacent = found.lineno == end and found.end_lineno == found.lineno
    if not adjacent or found.col_offset != tape.node.col_offset:
        return Fix(title=title, safety=Safety.MANUAL)
    line = module.replace_columns(end, 1, found.col_offset + 1, indent)
    return Fix(title=title, safety=Safety.UNSAFE, edits=(line,))
