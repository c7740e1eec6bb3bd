"""GD906."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity, Since
from graphdoctor.recording.format import EAGER, LibraryCall
from graphdoctor.rules.event_places import at, called_text, function_at
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule

# Sessions are left alone: they can run what does not depend on the function's arguments.
LEFTOVERS = {f"tensorflow.compat.v1.{name}" for name in ("placeholder", "sparse_placeholder")}


class PlaceholderInGraph(Rule):
    """Placeholders of TensorFlow 1 do not work in a `tf.function`.

    What it finds
    `tf.compat.v1.placeholder` in a traced function.

    Why it matters
    Nothing feeds the placeholder when the graph function runs: InvalidArgumentError.

    How to fix it
    Make the placeholder a parameter of the function.

    When to leave it
    Never: it raises when the function is called.
    """

    id = "GD906"
    severity = Severity.ERROR
    since = Since.TENSORFLOW_2
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def add(x):
                    y = tf.compat.v1.placeholder(tf.float32, [2])
                    return x + y


                print(add(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def add(x, y):
                    return x + y


                print(add(tf.ones([2]), tf.ones([2])).numpy())
                """,
            raises="InvalidArgumentError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in facts.of(LibraryCall):
            if event.name in LEFTOVERS and event.traced != EAGER:
                yield self.finding(
                    facts.span(at(event)),
                    f"`{called_text(facts, event) or event.name}` belongs to TensorFlow 1 and fails in a "
                    "graph",
                    function_at(event),
                    event=event,
                )
