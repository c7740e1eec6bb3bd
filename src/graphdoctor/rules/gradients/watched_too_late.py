"""GD513."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Gradient
from graphdoctor.refactoring.tapes.recorded_statements import watched_first
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import Asked, missing, written
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import MISSING_GRADIENT
from graphdoctor.rules.rule import Example, Rule


class WatchedTooLate(Rule):
    """`tape.watch` has no effect on what was computed before it.

    What it finds
    `tape.watch(x)` after the operations that compute the target, or `tape.watch` on a copy of the tensor.

    Why it matters
    The tape records an operation only if one of its inputs is watched at that moment. The gradient
    is None, although `watch` is there.

    How to fix it
    Move `tape.watch(x)` to the top of the block.

    When to leave it
    Never.
    """

    id = "GD513"
    severity = Severity.WRONG
    repair = MISSING_GRADIENT
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                x = tf.constant(3.0)
                with tf.GradientTape() as tape:
                    y = x * x
                    tape.watch(x)
                print(tape.gradient(y, x))
                """,
            good="""
                import tensorflow as tf

                x = tf.constant(3.0)
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    y = x * x
                print(tape.gradient(y, x))
                """,
            output=("None", "tf.Tensor(6.0, shape=(), dtype=float32)"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"late": "Watch first"}, fixing=_fix)


def _fix(event: Gradient, asked: Asked) -> Fix | None:
    """Move the line with `watch` to the top of the block."""
    watch = written(asked, event.broken) if not event.detail else None
    edits = watched_first(asked.module, asked.tape, watch) if watch is not None else None
    return offer("Watch first", edits, Safety.SAFE) if edits is not None else None
