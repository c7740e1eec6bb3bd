"""GD805."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Place
from graphdoctor.refactoring.calls.tensorflow_arguments import not_a_name
from graphdoctor.rules.event_places import at, function_at, uses
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule


class NameByPosition(Rule):
    """A dtype or tensor is passed as the `name` of an operation.

    What it finds
    A call in a traced function whose argument at the position of the parameter `name` is a dtype or
    a tensor: `tf.sqrt(x, tf.float32)`.

    Why it matters
    In eager mode the name is ignored. In a graph each operation has a name, and a value that is not a string
    raises TypeError.

    How to fix it
    Give the argument to the parameter it was meant for, or drop it.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD805"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def root(x):
                    return tf.sqrt(x, tf.float32)


                print(root(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def root(x):
                    return tf.sqrt(tf.cast(x, tf.float32))


                print(root(tf.ones([2])).numpy())
                """,
            raises="TypeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in uses(facts, "name"):
            place = at(event)
            called = facts.text(event.given).partition("(")[0] or event.name
            yield self.finding(
                facts.span(place),
                f"`{facts.text(place)}` is passed as the parameter `name` of `{called}`",
                function_at(event),
                event=event,
                fix=_fix(facts, place),
            )


def _fix(facts: Facts, place: Place) -> Fix | None:
    found = facts.sources.node(facts.span(place))
    written = not_a_name(*found) if found is not None else None
    return offer(*written) if written is not None else None
