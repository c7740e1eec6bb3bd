"""GD209."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity, Span
from graphdoctor.rewriting.clocks import as_timestamp, is_end_of_interval
from graphdoctor.rules.effects.side_effects import called, figures, repeated_effects
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule

SIMPLE = ("time.time", "time.perf_counter", "time.monotonic")


class ClockInGraph(Rule):
    """The time that Python reads while tracing is a constant of the graph.

    What it finds
    `time.time()`, `time.perf_counter()`, `datetime.now()` or `uuid.uuid4()` in a traced function.

    Why it matters
    The clock is read once, while tracing. Each call uses that moment; a difference of two readings
    measures how long tracing took.

    How to fix it
    `tf.timestamp()` reads the clock at each call. The fix is not called safe: the result is a float64
    tensor. Measure how long something takes outside the function: a graph reads both ends of an interval
    at once, and waits for nothing between them.

    When to leave it
    When you measure the tracing itself. What only makes a name (`name=…`, `op_name = …`) is left alone.
    """

    id = "GD209"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import time

                import tensorflow as tf


                @tf.function
                def now():
                    return tf.constant(0.0, tf.float64) + time.time()


                print(now().numpy() == now().numpy())
                """,
            good="""
                import time

                import tensorflow as tf


                @tf.function
                def now():
                    return tf.constant(0.0, tf.float64) + tf.timestamp()


                print(now().numpy() == now().numpy())
                """,
            output=("True", "False"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, function in repeated_effects(facts, "clock"):
            if event.place is not None:
                span = facts.span(event.place)
                yield self.finding(
                    span,
                    f"`{called(facts, event)}()` is read once, while `{function.name}` is traced",
                    function,
                    event=event,
                    observed=figures(facts, event),
                    fix=_fix(facts, span, event.name),
                )


def _fix(facts: Facts, span: Span, name: str) -> Fix:
    found = facts.sources.expression_at(span) if name in SIMPLE else None
    edit = as_timestamp(*found) if found is not None else None
    interval = found is not None and is_end_of_interval(*found)
    by_hand = "Measure outside the function" if interval else "Read it outside the function"
    return offer("Use `tf.timestamp`" if edit is not None else by_hand, edit)
