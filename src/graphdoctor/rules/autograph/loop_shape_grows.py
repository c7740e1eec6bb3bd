"""GD307."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Conflict, Staging
from graphdoctor.refactoring.declarations.shapes import common_shape, relax
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import LOOPS, body_at, conflicts, function_at, span_at


class LoopShapeGrows(Rule):
    """A tensor that grows by `tf.concat` changes its shape, which a TensorFlow loop does not allow.

    What it finds
    `x = tf.concat([x, …], …)` in a loop over a tensor (or `tf.range`, or a dataset), when `x` starts
    with a known shape and no `shape_invariants` allow it to grow.

    Why it matters
    The loop becomes one operation, in which each tensor keeps its shape. TensorFlow raises
    ValueError: "has shape (0,) before the loop, but shape (1,) after one iteration".

    How to fix it
    Collect in a `tf.TensorArray` and `concat` or `stack` it after the loop. It is also faster: growing by
    `concat` copies everything at each iteration.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD307"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"'(\w+)' has shape (\([^)]*\)) before the loop, but shape (\([^)]*\)) after",
            meaning="`{0}` has shape {1} before the loop and {2} after one iteration, but a TensorFlow loop "
            "requires a constant shape",
            order="Use a `tf.TensorArray`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def squares(n):
                    y = tf.zeros([0], tf.int32)
                    for i in tf.range(n):
                        y = tf.concat([y, [i * i]], axis=0)
                    return y


                print(squares(tf.constant(4)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def squares(n):
                    y = tf.zeros([0], tf.int32)
                    for i in tf.range(n):
                        tf.autograph.experimental.set_loop_options(shape_invariants=[(y, tf.TensorShape([None]))])
                        y = tf.concat([y, [i * i]], axis=0)
                    return y


                print(squares(tf.constant(4)).numpy())
                """,  # noqa: E501
            raises="ValueError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, conflict in conflicts(facts, LOOPS, "shape"):
            yield self.finding(
                span_at(facts, event, conflict.place),
                f"`{conflict.name}` {_changes(conflict)} at each iteration of a TensorFlow loop, "
                "which requires a constant shape",
                function_at(event),
                event=event,
                fix=_fix(facts, event),
            )


def _changes(conflict: Conflict) -> str:
    before, after = conflict.before, conflict.after
    same_rank = before and after and before.shape and after.shape and len(before.shape) == len(after.shape)
    return "grows" if same_rank else "changes its shape"


def _fix(facts: Facts, event: Staging) -> Fix:
    place = event.chain[-1].place
    shapes = {
        conflict.name: common_shape(conflict.before.shape, conflict.after.shape)
        for other, conflict in conflicts(facts, LOOPS, "shape")
        if other.chain[-1].place == place and conflict.before and conflict.after
    }
    found = body_at(facts, place)
    return offer("Let its shape change", relax(*found, shapes) if found is not None else None)
