"""GD510."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Applied
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Module


class ZipWrongWayRound(Rule):
    """`apply_gradients` takes pairs of gradient and variable, in this order.

    What it finds
    `optimizer.apply_gradients(zip(variables, gradients))`, where the second list comes from
    `tape.gradient`.

    Why it matters
    The optimizer takes the gradients for variables and raises an error that speaks of something else.

    How to fix it
    `zip(gradients, variables)`.

    When to leave it
    Never.
    """

    id = "GD510"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"Tensor' object has no attribute '_unique_id'",
            meaning="the optimizer was given tensors where it takes variables: pairs are (gradient, "
            "variable)",
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
            found = facts.sources.node(span)
            pairs = found[1] if found and isinstance(found[1], ast.Call) else None
            which = "the second ones"
            if found and pairs and len(pairs.args) == 2:
                which = f"`{found[0].source_of(pairs.args[1])}`"
            yield self.finding(
                span,
                f"`apply_gradients` takes (gradient, variable), but {which} are the gradients",
                facts.function_of(event),
                event=event,
                fix=_fix(found[0], pairs) if found and pairs else None,
            )


def _fix(module: Module, pairs: ast.Call) -> Fix:
    if module.source_of(pairs.func) != "zip" or len(pairs.args) != 2:
        return Fix(title="Swap the two", safety=Safety.MANUAL)
    first, second = (module.source_of(argument) for argument in pairs.args)
    edits = (module.replace(pairs.args[0], second), module.replace(pairs.args[1], first))
    return Fix(title="Swap the two", safety=Safety.SAFE, edits=edits)
