"""GD406."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity, Since
from graphdoctor.recording.format import Use
from graphdoctor.refactoring.calls.keras_inputs import (
    Placeholder,
    called_by_keras,
    called_in_a_layer,
    outermost_call,
)
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule


class KerasInputToGraph(Rule):
    """A KerasTensor of a functional model cannot be passed to TensorFlow functions.

    What it finds
    A call of a `tf.function`, or of a TensorFlow function, with what `keras.Input(…)` returned or what was
    computed from it, in a project known to use Keras 3; and `tape.gradient(…, layer.output)`.

    Why it matters
    A KerasTensor has only a shape and a dtype; it has no value and is not a symbolic tensor of TensorFlow.
    Keras 3 raises ValueError.

    How to fix it
    Call the function inside a layer, or use Keras operations (`keras.ops`). For the gradient of a layer's
    output, build a model with both outputs: `keras.Model(model.input, [layer.output, model.output])`.

    When to leave it
    Never: it raises when the model is built.
    """

    id = "GD406"
    severity = Severity.ERROR
    since = Since.KERAS_3
    failures = (
        FailureText(
            pattern=r"A KerasTensor is symbolic",
            meaning="a KerasTensor is passed to a `tf.function`, which does not accept it",
            order="Call it inside a layer",
            through="trace_type",
        ),
        FailureText(
            pattern=r"A KerasTensor cannot be used as input to a TensorFlow function",
            meaning="a KerasTensor is passed to a TensorFlow function, which accepts only tensors",
            order="Use `keras.ops` or a layer",
        ),
    )
    examples = (
        Example(
            bad="""
                import keras
                import tensorflow as tf
                from keras import ops


                @tf.function
                def double(x):
                    return ops.multiply(x, 2.0)


                inputs = keras.Input([3])
                model = keras.Model(inputs, double(inputs))
                """,
            good="""
                import keras
                import tensorflow as tf
                from keras import ops


                @tf.function
                def double(x):
                    return ops.multiply(x, 2.0)


                inputs = keras.Input([3])
                model = keras.Model(inputs, keras.layers.Lambda(double)(inputs))
                """,
            raises="ValueError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        reported = set()
        for events in _by_call(facts):
            event = events[0]
            assert event.place is not None
            span = facts.span(event.place)
            reported.add((span.path, span.line))
            found = facts.sources.node(span)
            given = f"`{found[0].source_of(found[1])}`" if found else "this"
            yield self.finding(
                span,
                f"{given} is a KerasTensor, which `{event.name}` does not accept",
                facts.function_of(event),
                event=event,
                fix=_fix(facts, events),
            )
        for failed in super().judge(facts):
            if (failed.path, failed.line) not in reported:
                yield failed


def _by_call(facts: Facts) -> list[list[Use]]:
    """The KerasTensors by the call that they are passed to; a nested one is reported with the outer."""
    found: dict[object, list[Use]] = {}
    for event in facts.of(Use):
        if event.how == "keras-input" and event.place is not None:
            site = facts.sources.given_at(facts.span(event.place))
            call = outermost_call(*site) if site is not None else None
            found.setdefault(call or event.place, []).append(event)
    return list(found.values())


def _fix(facts: Facts, events: list[Use]) -> Fix:
    found = [facts.sources.given_at(facts.span(event.place)) for event in events if event.place is not None]
    sites = [site for site in found if site is not None]
    given = [
        Placeholder(site[1], event.value.dtype if event.value is not None else "")
        for site, event in zip(found, events, strict=True)
        if site is not None
    ]
    edit = called_by_keras(sites[0][0], given) if sites and len(sites) == len(events) else None
    if edit is not None:
        return offer("Use `keras.ops`", edit)
    edit = called_in_a_layer(sites[0][0], given) if sites and len(sites) == len(events) else None
    return offer("Call it inside a layer", edit)
