"""GD502."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Gradient
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import Asked, missing
from graphdoctor.rules.rule import Example, Rule


class TargetOutsideTape(Rule):
    """What is computed after the tape is closed is not on it: the gradient is None.

    What it finds
    A target of `tape.gradient`, or a part of it, that is computed outside the `with` block: a sum of
    two losses, an index into the logits, a mean; also what ran before the tape was opened, or while it
    was paused.

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

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"outside": "Compute it inside the tape"}, fixing=_fix)


def _fix(event: Gradient, asked: Asked) -> Fix | None:
    """Move what follows the block into it: the line right below, or the expression in the question."""
    module, tape, title = asked.module, asked.tape, "Compute it inside the tape"
    end = (tape.node.end_lineno or 0) + 1
    found = asked.written(event.broken)
    one_line = tape.node.body[0].lineno == tape.node.lineno
    if one_line or end > len(module.lines) or event.detail != "after" or not isinstance(found, ast.expr):
        return None
    indent = " " * tape.node.body[-1].col_offset
    if found is asked.question.target:
        name = "target" if not tape.bindings("target") else "differentiated"
        edits = (
            module.insert_after(end - 1, f"{indent}{name} = {module.source_of(found)}\n"),
            module.replace(found, name),
        )
        return Fix(title=title, safety=Safety.UNSAFE, edits=edits)
    below = [node for node in ast.walk(module.tree) if isinstance(node, ast.Assign) and node.lineno == end]
    if len(below) != 1 or not any(node is found for node in ast.walk(below[0].value)):
        return None
    if below[0].end_lineno != end or below[0].col_offset != tape.node.col_offset:
        return None
    line = module.replace_columns(end, 1, below[0].col_offset + 1, indent)
    return Fix(title=title, safety=Safety.UNSAFE, edits=(line,))
