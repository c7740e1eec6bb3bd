"""GD210."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity, Span
from graphdoctor.rewriting.iterators import taken_by_the_graph
from graphdoctor.rules.effects.kept import DEFER
from graphdoctor.rules.effects.side_effects import figures, repeated_effects
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule

DTYPES = ("float32", "int64", "int32", "float64")


class NextInGraph(Rule):
    """`next` on a Python iterator takes one element while tracing, and that one stays.

    What it finds
    `next(iterator)` in a traced function, where the iterator comes from outside it and is known to
    be Python's: `iter` of a list, an `itertools` object, or a generator.

    Why it matters
    The element is taken while the function is traced and becomes a constant of the graph. Each call
    computes with the same element.

    How to fix it
    Pass the element as an argument, or iterate over a `tf.data.Dataset`: `next(iter(dataset))`
    works in a graph.

    When to leave it
    When one element per trace is meant.
    """

    id = "GD210"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                numbers = iter([1.0, 2.0, 3.0])


                @tf.function
                def add(x):
                    return x + next(numbers)


                for _ in range(3):
                    print(add(tf.constant(0.0)).numpy())
                """,
            good="""
                import tensorflow as tf

                numbers = iter(tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]))


                @tf.function
                def add(x):
                    return x + next(numbers)


                for _ in range(3):
                    print(add(tf.constant(0.0)).numpy())
                """,
            output=("1.0\n1.0\n1.0", "1.0\n2.0\n3.0"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, function in repeated_effects(facts, "next"):
            if event.place is not None:
                span = facts.span(event.place)
                yield self.finding(
                    span,
                    f"`next({event.name})` takes one element while `{function.name}` is traced, and each "
                    "call uses it",
                    function,
                    event=event,
                    observed=figures(facts, event),
                    fix=Fix(title="Pass it as an argument", safety=Safety.MANUAL),
                    alternatives=_ways(facts, span),
                )


def _ways(facts: Facts, span: Span) -> tuple[Fix, ...]:
    """Nobody knows the dtype of what an iterator gives: the likelier ones are tried."""
    found = facts.sources.expression_at(span)
    ways = [taken_by_the_graph(*found, dtype) for dtype in DTYPES] if found is not None else []
    return tuple(Fix(title=DEFER, safety=Safety.UNSAFE, edits=edits) for edits in ways if edits)
