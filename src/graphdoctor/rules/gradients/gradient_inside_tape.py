"""GD511."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import EAGER, Applied
from graphdoctor.rewriting.around_tape import asked_after
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import Asked, asked_in
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.telling import at, called_text


class GradientInsideTape(Rule):
    """A persistent tape that is asked inside its own block also records the gradient's operations.

    What it finds
    `tape.gradient` inside the `with` block of its own persistent tape, when no gradient of that
    gradient is asked for.

    Why it matters
    The backward pass is recorded too, for a second derivative that nobody wants: more time, and all
    its intermediate results stay in memory as long as the tape. In a graph function that costs time and
    size while it is traced, and little when it runs: there it is a note.

    How to fix it
    Ask after the block.

    When to leave it
    When the result is differentiated again.
    """

    id = "GD511"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def wave(x):
                    return x * tf.sin(x)


                @tf.function
                def slope(x):
                    with tf.GradientTape(persistent=True) as tape:
                        tape.watch(x)
                        y = wave(x)
                        gradient = tape.gradient(y, x)
                    return gradient


                slope(tf.constant(3.0))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def wave(x):
                    return x * tf.sin(x)


                @tf.function
                def slope(x):
                    with tf.GradientTape(persistent=True) as tape:
                        tape.watch(x)
                        y = wave(x)
                    gradient = tape.gradient(y, x)
                    return gradient


                slope(tf.constant(3.0))
                """,
            graph_bytes=(3337, 2841),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        inside = [event for event in facts.of(Applied) if event.what == "gradient inside" and event.chain]
        wanted = {at(event) for event in inside if event.options.get("differentiated") != "False"}
        told = set()
        for event in inside:
            place = at(event)
            if event.options.get("persistent") != "True" or place in wanted or place in told:
                continue
            told.add(place)
            name = called_text(facts, event).rpartition(".")[0] or "the tape"
            yield self.finding(
                facts.span(place),
                f"`{name}` is still recording: it records this gradient as well",
                facts.function_of(event),
                event=event,
                severity=self.severity if event.traced == EAGER else Severity.NOTE,
                fix=_fix(asked_in(place, facts.sources)),
            )


def _fix(asked: Asked | None) -> Fix:
    edit = asked_after(asked.module, asked.tape, asked.question) if asked is not None else None
    return offer("Ask after the block", edit)
