"""GD608."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Use
from graphdoctor.refactoring.declarations.shapes import in_list
from graphdoctor.rules.event_places import at, function_at, uses
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule


class NumberAsShape(Rule):
    """A number is not a valid shape in a graph: `tf.reshape(x, -1)` works only in eager mode.

    What it finds
    `tf.reshape` and `tf.fill` in a traced function with a number instead of a shape: also `(-1)`, which is
    not a tuple, and a scalar tensor.

    Why it matters
    In eager mode TensorFlow accepts the number as a shape with one axis. In a graph it raises ValueError
    "Shape must be rank 1 but is rank 0".

    How to fix it
    Put it into a list: `tf.reshape(x, [-1])`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD608"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"Shape must be rank 1 but is rank 0 for '\{\{node \S*(Reshape|Fill)",
            meaning="a number is given where a graph needs a shape",
            order="Put the number into a list",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def flat(x):
                    return tf.reshape(x, -1)


                print(flat(tf.ones([2, 2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def flat(x):
                    return tf.reshape(x, [-1])


                print(flat(tf.ones([2, 2])).numpy())
                """,
            raises="ValueError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in uses(facts, "shape"):
            place = event.given or at(event)
            yield self.finding(
                facts.span(place),
                f"`{facts.text(place)}` is a number, but `{event.name}` needs a shape in a graph",
                function_at(event),
                event=event,
                fix=_fix(facts, event),
            )


def _fix(facts: Facts, event: Use) -> Fix:
    found = facts.sources.expression_at(facts.span(event.given)) if event.given is not None else None
    return offer("Put it into a list", in_list(*found) if found is not None else None, Safety.SAFE)
