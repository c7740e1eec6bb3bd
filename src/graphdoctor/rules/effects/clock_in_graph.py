"""GD209."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity, Span
from graphdoctor.refactoring.calls.clocks import as_timestamp, is_end_of_interval
from graphdoctor.rules.effects.side_effects import called, figures, is_a_seed, repeated_effects
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import Repair
from graphdoctor.rules.rule import Example, Rule

SIMPLE = ("time.time", "time.perf_counter", "time.monotonic")


class ClockInGraph(Rule):
    """The time that Python reads while tracing becomes a constant of the graph.

    What it finds
    `time.time()`, `time.perf_counter()`, `datetime.now()` or `uuid.uuid4()` in a traced function. What
    `uuid` gives is left alone: a mark that nothing else looks like, as between two texts, may stay the same.

    Why it matters
    The clock is read once, while tracing. Each call uses that time; the difference of two readings measures
    the tracing.

    How to fix it
    `tf.timestamp()` reads the clock at each call. The fix is marked unsafe: the result is a float64 tensor.
    It may be the end of an interval that started outside with `time.time()`. To measure a part of the
    function, measure outside: a graph may read both times at once, because neither depends on the operations
    between them.

    When to leave it
    When you measure the tracing itself. What only makes a name (`name=…`, `op_name = …`) is left alone. So is
    what is only a seed (`seed=int(time.time())`): the operation draws again at each call.
    """

    id = "GD209"
    severity = Severity.WRONG
    repair = Repair(clock=True)
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
        found = list(repeated_effects(facts, "clock"))
        spans = [facts.span(event.place) for event, _ in found if event.place is not None]
        for event, function in found:
            span = facts.span(event.place) if event.place is not None else None
            if span is not None and not _is_harmless(facts, span, event.name):
                yield self.finding(
                    span,
                    f"`{called(facts, event)}()` is read once, while `{function.name}` is traced",
                    function,
                    event=event,
                    observed=figures(facts, event),
                    fix=_fix(facts, span, event.name, spans),
                )


def _is_harmless(facts: Facts, span: Span, name: str) -> bool:
    return name.startswith("uuid.") or is_a_seed(facts, span)


def _fix(facts: Facts, span: Span, name: str, others: list[Span]) -> Fix:
    found = facts.sources.expression_at(span) if name in SIMPLE else None
    readings = [site[1] for other in others if (site := facts.sources.expression_at(other)) is not None]
    edit = as_timestamp(*found, readings) if found is not None else None
    interval = found is not None and is_end_of_interval(*found)
    by_hand = "Measure outside the function" if interval else "Read it outside the function"
    return offer("Use `tf.timestamp`" if edit is not None else by_hand, edit)
