"""GD214."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.recording.format import Stale
from graphdoctor.rules.effects.stale import stale_captures, stale_finding
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule


class CapturedValueChanged(Rule):
    """A global or closure variable changed after tracing; the graph still uses the old value.

    What it finds
    From the source: a global number or string that a traced function reads, and that the same file
    assigns again between two calls of it. In a run: a number, text, bool, None or small tuple that a
    traced function, or a function it calls, reads from its module or its closure; that changed after the
    trace; and calls that ran the old graph afterwards. After a function's first thousand calls one in
    sixteen is looked at; `run --calls` looks at all, also nested ones, and tells traces apart. Arrays and
    tensors that are only computed again may be what they were: the confidence is at most medium.

    Why it matters
    The value is read once, while tracing, and becomes a constant of the graph. It is not an argument, so
    TensorFlow does not notice the change: the program uses the old value. There is no warning.

    How to fix it
    Pass the value as an argument (as a tensor; each new Python value would retrace), or keep it in a
    `tf.Variable` and `assign` to it.

    When to leave it
    When the old value is intended: then give it a name that is never assigned again.
    """

    id = "GD214"
    severity = Severity.WRONG
    settled_by = (Stale,)
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                rate = 1.0


                @tf.function
                def scale(x):
                    return x * rate


                print(scale(tf.constant(1.0)).numpy())
                rate = 0.5
                print(scale(tf.constant(1.0)).numpy())
                """,
            good="""
                import tensorflow as tf

                rate = tf.Variable(1.0, trainable=False)


                @tf.function
                def scale(x):
                    return x * rate


                print(scale(tf.constant(1.0)).numpy())
                rate.assign(0.5)
                print(scale(tf.constant(1.0)).numpy())
                """,
            output=("1.0\n1.0", "1.0\n0.5"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in stale_captures(facts, ("global", "cell")):
            yield stale_finding(self, facts, event, f"Pass `{event.state.name}` as an argument")
