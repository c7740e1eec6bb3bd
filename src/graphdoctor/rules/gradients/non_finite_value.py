"""GD516."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Observed, Safety, Severity
from graphdoctor.recording.format import NonFinite
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Rule
from graphdoctor.rules.telling import traced_around

USUAL = {
    "Log": "`tf.math.log(x + 1e-7)`, or the loss that takes logits",
    "RealDiv": "`tf.math.divide_no_nan`, or a small number added below the line",
    "Div": "`tf.math.divide_no_nan`, or a small number added below the line",
    "Reciprocal": "`tf.math.reciprocal_no_nan`",
    "Sqrt": "`tf.sqrt(tf.maximum(x, 0.0))`",
    "SqrtGrad": "`tf.sqrt(x + 1e-12)`: the slope of a square root at 0 is infinite",
    "Exp": "`tf.nn.softmax` or `tf.reduce_logsumexp`, which subtract the maximum first",
    "Pow": "a base that stays above 0",
}


class NonFiniteValue(Rule):
    """The first operation of a run that gave infinity or NaN.

    What it finds
    With `graphdoctor run --numerics`: the operation at which TensorFlow's own check stopped the program,
    with the user's line, forward or backward, in eager code or in a graph.

    Why it matters
    One NaN spreads through every weight within a step. What the loss shows is the end of the story;
    the operation that gave the first one is its beginning.

    How to fix it
    Keep the input of that operation in its range: a small number under a logarithm, a root or a
    division; clipped gradients; the loss that takes logits. If the NaN was there in the operation's
    input already, look at the data.

    When to leave it
    Never.
    """

    id = "GD516"
    severity = Severity.WRONG

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for event in facts.of(NonFinite):
            place = event.place
            if place is not None:
                yield self.finding(
                    facts.span(place),
                    _told(event),
                    traced_around(facts, place),
                    event=event,
                    fix=Fix(title="Keep the input in range", safety=Safety.MANUAL),
                    observed=Observed(traces=0, seconds=0.0),
                )


def _told(event: NonFinite) -> str:
    where = f" in the graph of `{event.graph}`" if event.graph else ""
    usual = USUAL.get(event.operation)
    text = f"`{event.operation}` is the first operation to give {event.values}{where}"
    if event.incoming:
        return f"{text}; its input is not finite either: the values come from the data"
    return f"{text}; usual instead: {usual}" if usual is not None else text
