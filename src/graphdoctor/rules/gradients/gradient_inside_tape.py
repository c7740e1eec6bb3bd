"""GD511."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import EAGER, Applied
from graphdoctor.refactoring.tapes.lifetime import asked_after
from graphdoctor.rules.event_places import at, called_text
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import Asked, asked_in
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule


class GradientInsideTape(Rule):
    """A persistent tape that computes a gradient inside its own block also records the gradient's operations.

    What it finds
    `tape.gradient` inside the `with` block of its own persistent tape, when no second derivative is computed.

    Why it matters
    The backward pass is recorded too, for a second derivative that nobody wants: more time, and all
    its intermediate results stay in memory as long as the tape. In a graph function that costs time and
    size while it is traced, and little when it runs: there it is a NOTE.

    How to fix it
    Call `tape.gradient` after the block.

    When to leave it
    When the result is differentiated again.
    """

    id = "GD511"
    severity = Severity.NOTE  # a graph is larger by it, and drops most of it before it runs
    usual = Severity.SLOW
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
        reported = set()
        for event in inside:
            place = at(event)
            if event.options.get("persistent") != "True" or place in wanted or place in reported:
                continue
            reported.add(place)
            name = called_text(facts, event).rpartition(".")[0] or "the tape"
            yield self.finding(
                facts.span(place),
                f"`{name}` also records this gradient, because it is computed inside its block",
                facts.function_of(event),
                event=event,
                worse=Severity.SLOW if event.traced == EAGER else None,
                fix=_fix(asked_in(place, facts.sources)),
            )


def _fix(asked: Asked | None) -> Fix:
    edit = asked_after(asked.module, asked.tape, asked.question) if asked is not None else None
    return offer("Call it after the block", edit)
