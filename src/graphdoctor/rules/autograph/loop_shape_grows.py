"""GD307."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Conflict
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import LOOPS, conflicts, function_at, span_at


class LoopShapeGrows(Rule):
    """A tensor that `tf.concat` makes longer at each turn of a TensorFlow loop changes its shape.

    What it finds
    `x = tf.concat([x, …], …)` in a loop over a tensor (or `tf.range`, or a dataset), when `x` starts
    with a known shape and no `shape_invariants` allow it to grow.

    Why it matters
    The loop becomes one operation, in which each tensor keeps its shape. TensorFlow raises
    ValueError: "has shape (0,) before the loop, but shape (1,) after one iteration".

    How to fix it
    Collect in a `tf.TensorArray` and `concat` or `stack` it after the loop. It is also faster: growing
    by `concat` copies everything at each turn.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD307"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"'(\w+)' has shape (\([^)]*\)) before the loop, but shape (\([^)]*\)) after",
            meaning="`{0}` has shape {1} before the loop and {2} after one turn, but a graph loop "
            "keeps shapes",
            order="Use a `tf.TensorArray`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def squares(n):
                    result = tf.zeros([0], tf.int32)
                    for i in tf.range(n):
                        result = tf.concat([result, [i * i]], axis=0)
                    return result


                print(squares(tf.constant(4)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def squares(n):
                    result = tf.TensorArray(tf.int32, size=n)
                    for i in tf.range(n):
                        result = result.write(i, i * i)
                    return result.stack()


                print(squares(tf.constant(4)).numpy())
                """,
            raises="ValueError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, conflict in conflicts(facts, LOOPS, "shape"):
            yield self.finding(
                span_at(facts, event, conflict.place),
                f"`{conflict.name}` {_changes(conflict)} at each turn of a TensorFlow loop, "
                "which keeps its shape",
                function_at(event),
                event=event,
                fix=Fix(title="Use a `tf.TensorArray`", safety=Safety.MANUAL),
            )


def _changes(conflict: Conflict) -> str:
    before, after = conflict.before, conflict.after
    same_rank = before and after and before.shape and after.shape and len(before.shape) == len(after.shape)
    return "grows" if same_rank else "gets another shape"
