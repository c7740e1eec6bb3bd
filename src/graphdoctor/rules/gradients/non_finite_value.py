"""GD516."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Observed, Safety, Severity
from graphdoctor.recording.format import NonFinite
from graphdoctor.rules.event_places import traced_around
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Rule

USUAL = {
    "Log": "`tf.math.log(x + 1e-7)`, or the loss that takes logits",
    "RealDiv": "`tf.math.divide_no_nan`, or a small number added to the divisor",
    "Div": "`tf.math.divide_no_nan`, or a small number added to the divisor",
    "Reciprocal": "`tf.math.reciprocal_no_nan`",
    "Sqrt": "`tf.sqrt(tf.maximum(x, 0.0))`",
    "SqrtGrad": "`tf.sqrt(x + 1e-12)`: the slope of a square root at 0 is infinite",
    "Exp": "`tf.nn.softmax` or `tf.reduce_logsumexp`, which subtract the maximum first",
    "Pow": "a base that stays above 0",
}


class NonFiniteValue(Rule):
    """The first operation of a run that produced infinity or NaN.

    What it finds
    With `graphdoctor run --numerics`: the operation at which TensorFlow's own check stopped the program,
    with the user's line, forward or backward, in eager code or in a graph.

    Why it matters
    One NaN spreads to every weight within a step. The loss shows the result; this operation is the cause.

    How to fix it
    Keep the input of that operation in its range: a small number under a logarithm, a root or a division;
    clipped gradients; the loss that takes logits. If the operation's input already contains NaN, check the
    data.

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
                    _message(event),
                    traced_around(facts, place),
                    event=event,
                    fix=Fix(title="Keep the input in range", safety=Safety.MANUAL),
                    observed=Observed(traces=0, seconds=0.0),
                )


def _message(event: NonFinite) -> str:
    where = f" in the graph of `{event.graph}`" if event.graph else ""
    usual = USUAL.get(event.operation)
    text = f"`{event.operation}` is the first operation to produce {event.values}{where}"
    if event.incoming:
        return f"{text}; its input is already non-finite: the values come from the data"
    return f"{text}; usual replacement: {usual}" if usual is not None else text
