"""GD208."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity, Span
from graphdoctor.rules.effects.side_effects import called, repeated_effects
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source.names import module_alias

SIMPLE = {"random.random", "numpy.random.rand", "numpy.random.random"}


class PythonRandomInGraph(Rule):
    """A random number that Python or NumPy draws while tracing is a constant of the graph.

    What it finds
    `random.random()`, `np.random.rand()` and the like in a function that TensorFlow traces: in a
    `tf.function`, in `Dataset.map`, in `Layer.call`.

    Why it matters
    The number is drawn once, while tracing. Every call, every batch and every epoch then uses the
    same one: an augmentation that does not augment, a dropout that always drops the same.

    How to fix it
    Draw with an operation: `tf.random.uniform([])`, `tf.random.normal(…)`, or `tf.random.Generator`.
    The fix is not called safe, because the numbers differ and are float32.

    When to leave it
    When one value per trace is meant, as for a fixed random projection.
    """

    id = "GD208"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import random

                import tensorflow as tf


                @tf.function
                def jitter(x):
                    return x + random.random()


                print(jitter(tf.constant(0.0)).numpy() == jitter(tf.constant(0.0)).numpy())
                """,
            good="""
                import random

                import tensorflow as tf


                @tf.function
                def jitter(x):
                    return x + tf.random.uniform([])


                print(jitter(tf.constant(0.0)).numpy() == jitter(tf.constant(0.0)).numpy())
                """,
            output=("True", "False"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, function in repeated_effects(facts, "random"):
            if event.place is not None:
                span = facts.span(event.place)
                yield self.finding(
                    span,
                    f"`{called(facts, event)}` draws once, while `{function.name}` is traced; each call "
                    "uses the same value",
                    function,
                    event=event,
                    fix=_fix(facts, span, event.name),
                )


def _fix(facts: Facts, span: Span, name: str) -> Fix:
    place = facts.sources.expression_at(span)
    call = place[1] if place else None
    tensorflow = module_alias("tensorflow", place[0].scope_at(call)) if place and call else None
    given = not isinstance(call, ast.Call) or call.args or call.keywords
    if place is None or call is None or tensorflow is None or name not in SIMPLE or given:
        return Fix(title="Draw with `tf.random`", safety=Safety.MANUAL)
    return Fix(
        title="Draw with `tf.random.uniform`",
        safety=Safety.UNSAFE,
        edits=(place[0].replace(call, f"{tensorflow}.random.uniform([])"),),
    )
