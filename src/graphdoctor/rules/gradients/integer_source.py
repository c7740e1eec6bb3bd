"""GD505."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Gradient
from graphdoctor.rewriting.sources import as_float
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import Asked, missing
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule


class IntegerSource(Rule):
    """Integers and strings have no gradient: it is None.

    What it finds
    A source of `tape.gradient` that is neither floating point nor complex, such as `tf.Variable(10)`.
    From a run also such a target.

    Why it matters
    `tf.constant(10)` is an int32. TensorFlow says so in one line of its log, and gives None.

    How to fix it
    Write `10.0`, or cast to floating point before the tape.

    When to leave it
    Never.
    """

    id = "GD505"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                x = tf.Variable(10)
                with tf.GradientTape() as tape:
                    y = x * x
                print(tape.gradient(y, x))
                """,
            good="""
                import tensorflow as tf

                x = tf.Variable(10.0)
                with tf.GradientTape() as tape:
                    y = x * x
                print(tape.gradient(y, x))
                """,
            output=("None", "tf.Tensor(20.0, shape=(), dtype=float32)"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"dtype": "Make it floating point"}, at_call=True, fixing=_fix)


def _fix(event: Gradient, asked: Asked) -> Fix | None:
    written = asked.question.source_list
    index = event.sources[0].index if len(event.sources) == 1 else len(written)
    source = written[index] if index < len(written) else None
    return offer("Make it floating point", as_float(asked.module, asked.tape, source))
