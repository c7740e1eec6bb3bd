"""GD328."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.recording.format import Staging
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import function_at, span_at


class ExceptOfGraphError(Rule):
    """`try`/`except` in a traced function catches nothing that happens when the graph runs.

    What it finds
    `except tf.errors.InvalidArgumentError` (and the like) in a traced function, around operations of
    TensorFlow.

    Why it matters
    The `try` runs while tracing, when no operation computes anything. The error is raised later, when
    the graph runs, outside of the `try`: it is never caught.

    How to fix it
    Catch the error where the graph function is called, or test with an operation beforehand.

    When to leave it
    When the error is raised by Python code while tracing.
    """

    id = "GD328"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def pick(x, index):
                    try:
                        return tf.gather(x, index)
                    except tf.errors.InvalidArgumentError:
                        return tf.constant(0.0)


                print(pick(tf.ones([2]), tf.constant(7)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def pick(x, index):
                    return tf.gather(x, index)


                try:
                    print(pick(tf.ones([2]), tf.constant(7)).numpy())
                except tf.errors.InvalidArgumentError:
                    print(0.0)
                """,
            raises="InvalidArgumentError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in facts.of(Staging):
            if event.reason != "graph-error" or event.conflict is None or not event.chain:
                continue
            name = event.conflict.name
            yield self.finding(
                span_at(facts, event),
                f"`{name}` is raised when the graph runs, and this `except` runs while tracing",
                function_at(event),
                event=event,
            )
