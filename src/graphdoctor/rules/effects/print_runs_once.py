"""GD219."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.effects.kept import deferring
from graphdoctor.rules.effects.print_in_graph import SETTLED, in_the_graph, shows_value
from graphdoctor.rules.effects.side_effects import all_effects, calls_from, figures, what_ran
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.repair import Repair
from graphdoctor.rules.rule import Example, Rule


class PrintRunsOnce(Rule):
    """`print` of a text or a setting in a traced function runs while tracing, and not at each call.

    What it finds
    A call of Python's `print` in a function that TensorFlow traces and that shows no single figure (GD201
    finds those): numbers, flags and texts of Python's, a tensor with axes, a counter, a file's name. Left
    alone is what says that it reports tracing itself (the words "trace" or "tracing" in its text), and what
    shows nothing but shapes and dtypes.

    Why it matters
    A traced function runs as Python once; after that its graph runs. Without the text at each call, the
    function seems not to be called.

    How to fix it
    `tf.print` is part of the graph and prints at each call. It writes to standard error unless
    `output_stream=sys.stdout` is given, which is why the fix is marked unsafe.

    When to leave it
    When once is enough: to see how something is set up, or of which shape and kind a tensor is.
    """

    id = "GD219"
    severity = Severity.NOTE
    repair = Repair(prints=True)
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def train(x):
                    print("a step begins")
                    return tf.reduce_sum(x)


                for step in range(3):
                    train(tf.ones([2]))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def train(x):
                    tf.print("a step begins")
                    return tf.reduce_sum(x)


                for step in range(3):
                    train(tf.ones([2]))
                """,
            output=("a step begins", "a step begins\na step begins\na step begins"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, function in all_effects(facts, "print"):
            if event.once or event.shows in SETTLED or event.place is None:
                continue
            if shows_value(facts, event, function):
                continue
            span = facts.span(event.place)
            yield self.finding(
                span,
                what_ran(facts, event, "`print`")
                or f"`print` runs only while `{function.name}` is traced, not at each call",
                function,
                event=event,
                observed=figures(facts, event),
                fix=in_the_graph(facts, span),
                alternatives=deferring(facts, span, calls_from(event, function)),
            )
