"""GD505."""

from collections.abc import Iterator
from functools import partial

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Gradient
from graphdoctor.refactoring.tapes.sources import as_float, made_of_floats
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import Asked, missing
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import MISSING_GRADIENT
from graphdoctor.rules.rule import Example, Rule

TITLE = "Make it floating point"


class IntegerSource(Rule):
    """The gradient with respect to an integer or a string is None.

    What it finds
    A source of `tape.gradient` that is neither floating point nor complex, such as `tf.Variable(10)`.
    From a run also such a target.

    Why it matters
    `tf.constant(10)` is an int32. TensorFlow logs one line and returns None.

    How to fix it
    Write `10.0`, or cast to floating point before the tape.

    When to leave it
    Never.
    """

    id = "GD505"
    severity = Severity.WRONG
    repair = MISSING_GRADIENT
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
        yield from missing(
            self, facts, {"dtype": TITLE}, at_call=True, fixing=_fix, making=partial(_made, facts)
        )


def _fix(event: Gradient, asked: Asked) -> Fix | None:
    written = asked.question.source_list
    index = event.sources[0].index if len(event.sources) == 1 else len(written)
    source = written[index] if index < len(written) else None
    return offer(TITLE, as_float(asked.module, asked.tape, source))


def _made(facts: Facts, event: Gradient) -> Fix | None:
    """The edits where the Variables are made that the tape was asked for."""
    places = [place for source in event.sources for place in source.made]
    found = [facts.sources.expression_at(facts.span(place)) for place in dict.fromkeys(places)]
    edits = [made_of_floats(*each) if each is not None else None for each in found]
    return (
        offer(TITLE, tuple(edit for each in edits for edit in each or ())) if edits and all(edits) else None
    )
