"""GD510."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Safety, Severity
from graphdoctor.recording.format import Applied
from graphdoctor.refactoring.tapes.sources import swapped
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import Repair
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source.calls import argument_texts


class ZipWrongWayRound(Rule):
    """`apply_gradients` gets (variable, gradient) pairs; it expects (gradient, variable).

    What it finds
    `optimizer.apply_gradients(zip(variables, gradients))`, where the second list comes from
    `tape.gradient`.

    Why it matters
    The optimizer treats the gradients as variables and raises an unrelated error.

    How to fix it
    Write `zip(gradients, variables)`.

    When to leave it
    Never.
    """

    id = "GD510"
    severity = Severity.ERROR
    repair = Repair(trains=True)
    failures = (
        FailureText(
            pattern=r"Tensor' object has no attribute '_unique_id'",
            meaning="the optimizer got tensors where it expects variables: pairs are (gradient, variable)",
            order="Swap the two",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                w = tf.Variable([1.0, 2.0])
                optimizer = tf.keras.optimizers.SGD(0.5)
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(w * w)
                gradients = tape.gradient(loss, [w])
                optimizer.apply_gradients(zip([w], gradients))
                print(w.numpy())
                """,
            good="""
                import tensorflow as tf

                w = tf.Variable([1.0, 2.0])
                optimizer = tf.keras.optimizers.SGD(0.5)
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(w * w)
                gradients = tape.gradient(loss, [w])
                optimizer.apply_gradients(zip(gradients, [w]))
                print(w.numpy())
                """,
            raises="AttributeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in facts.of(Applied):
            if event.what != "swapped gradients" or event.place is None:
                continue
            span = facts.span(event.place)
            pairs = facts.sources.call_at(span)
            given = argument_texts(*pairs) if pairs is not None else []
            which = f"`{given[1]}`" if len(given) == 2 else "the second ones"
            yield self.finding(
                span,
                f"`apply_gradients` expects (gradient, variable) pairs, but {which} are the gradients",
                facts.function_of(event),
                event=event,
                fix=offer("Swap the two", swapped(*pairs), Safety.SAFE) if pairs is not None else None,
            )
