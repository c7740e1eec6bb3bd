"""GD208."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, FunctionRef, Safety, Severity, Span
from graphdoctor.recording.format import Effect
from graphdoctor.refactoring.arguments.first_statements import done_before
from graphdoctor.refactoring.calls.random_draws import drawn
from graphdoctor.rules.effects.side_effects import called, figures, is_a_seed, repeated_effects
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.repair import Repair
from graphdoctor.rules.rule import Example, Rule

TITLE = "Draw with `tf.random`"


class PythonRandomInGraph(Rule):
    """A random number that Python or NumPy draws while tracing becomes a constant of the graph.

    What it finds
    `random.random()`, `np.random.rand()` and similar calls in a function that TensorFlow traces: in a
    `tf.function`, in `Dataset.map`, in `Layer.call`.

    Why it matters
    The number is drawn once, while tracing. Every call, batch and epoch then uses the same number: an
    augmentation that does not augment, a dropout that always drops the same units.

    How to fix it
    Draw with an operation: `tf.random.uniform([])`, `tf.random.normal(…)`, or `tf.random.Generator`. The fix
    is marked unsafe, because the numbers differ and are float32.

    When to leave it
    When one value per trace is intended, as for a fixed random projection.
    """

    id = "GD208"
    severity = Severity.WRONG
    repair = Repair(varies=True)
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
            span = facts.span(event.place) if event.place is not None else None
            if span is not None and not is_a_seed(facts, span):
                fix, alternatives = _fixes(facts, span, event.name)
                alternatives += _before_the_graph(facts, event, function)
                yield self.finding(
                    span,
                    f"`{called(facts, event)}` draws once, while `{function.name}` is traced; every call "
                    "uses the same value",
                    function,
                    event=event,
                    observed=figures(facts, event),
                    fix=fix,
                    alternatives=alternatives,
                )


def _fixes(facts: Facts, span: Span, name: str) -> tuple[Fix, tuple[Fix, ...]]:
    """Draw with the operation; whole numbers are tried with both dtypes."""
    found = facts.sources.expression_at(span)
    ways = [drawn(*found, name, whole) for whole in ("int32", "int64")] if found is not None else []
    fixes = [Fix(title=TITLE, safety=Safety.UNSAFE, edits=edits) for edits in ways if edits]
    if not fixes:
        return Fix(title=TITLE, safety=Safety.MANUAL), ()
    return fixes[0], tuple(fix for fix in fixes[1:] if fix != fixes[0])


def _before_the_graph(facts: Facts, event: Effect, function: FunctionRef) -> tuple[Fix, ...]:
    """The alternative: what the function draws first is drawn before the graph."""
    known = facts.sources.function(function)
    lines = [frame.place.line for frame in event.chain if frame.function == function.name]
    edits = done_before(known, lines[-1]) if known is not None and lines else None
    return (Fix(title="Draw before the graph", safety=Safety.UNSAFE, edits=edits),) if edits else ()
