"""GD411."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Applied, Place
from graphdoctor.refactoring.syntax.temporaries import keep
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import node_at


class MethodOfTemporary(Rule):
    """A `tf.function` method called on a temporary object fails: `self` is already freed.

    What it finds
    `Model().step(x)` where `step` is decorated with `tf.function` and reads an attribute of `self`.

    Why it matters
    TensorFlow keeps only a weak reference to the object. Python frees the temporary object before the
    body runs, `self` is None, and reading an attribute raises AttributeError.

    How to fix it
    Keep the object: `model = Model()`, then `model.step(x)`. That also keeps its graphs: each new object is
    traced again.

    When to leave it
    Never: it raises when it is called.
    """

    id = "GD411"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"'NoneType' object has no attribute",
            meaning="the object of this method was freed: TensorFlow holds only a weak reference to it",
            order="Keep the object in a variable",
            per_instance=True,
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                class Scaler:
                    def __init__(self, factor):
                        self.factor = factor

                    @tf.function
                    def scale(self, x):
                        return x * self.factor


                print(Scaler(2.0).scale(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                class Scaler:
                    def __init__(self, factor):
                        self.factor = factor

                    @tf.function
                    def scale(self, x):
                        return x * self.factor


                scaler = Scaler(2.0)
                print(scaler.scale(tf.ones([2])).numpy())
                """,
            raises="AttributeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in facts.of(Applied):
            if event.what == "temporary" and event.place is not None:
                method = event.options.get("method", "")
                yield self.finding(
                    facts.span(event.place),
                    f"this `{event.type}` is a temporary object, freed before `{event.type}.{method}` runs",
                    facts.function_of(event),
                    event=event,
                    fix=_fix(facts, event.place),
                )


def _fix(facts: Facts, place: Place) -> Fix:
    found = node_at(facts, place)
    return offer("Keep the object", keep(*found) if found is not None else None, Safety.SAFE)
