"""GD502."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Gradient
from graphdoctor.refactoring.tapes.recorded_statements import computed_last, moved_in
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import Asked, missing, written
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import MISSING_GRADIENT
from graphdoctor.rules.rule import Example, Rule


class TargetOutsideTape(Rule):
    """A target computed outside the tape's block is not recorded: the gradient is None.

    What it finds
    A target of `tape.gradient`, or a part of it, that is computed outside the `with` block: a sum of
    two losses, an index into the logits, a mean; also what ran before the tape was opened, or while it
    was paused.

    Why it matters
    The tape records the operations that run inside its block. A target computed outside has no history: every
    gradient is None.

    How to fix it
    Compute the target inside the block, including the last operation.

    When to leave it
    Where the code asks for None itself (`if g is None`, `assert g is None`), or shows the answer beside one
    of the same tape that there is, or has paused its tape (`tape.stop_recording()`), the confidence is low.
    """

    id = "GD502"
    severity = Severity.WRONG
    repair = MISSING_GRADIENT
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
    module, tape, found = asked.module, asked.tape, written(asked, event.broken)
    if event.detail in ("before", "after") and found is not asked.question.target:
        edits = moved_in(module, tape, found, before=event.detail == "before")
    else:
        edits = computed_last(module, tape, found) if event.detail == "after" else None
    return offer("Compute it inside the tape", edits) if edits is not None else None
