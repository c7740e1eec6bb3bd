"""GD804."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Use
from graphdoctor.refactoring.calls.tensorflow_arguments import converted
from graphdoctor.rules.event_places import at, call_at, function_at, uses
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule


class ConstantOfTensor(Rule):
    """`tf.constant` does not accept a symbolic tensor.

    What it finds
    `tf.constant(x)` in a traced function, where `x` is a tensor.

    Why it matters
    A constant is stored in the graph while tracing; a symbolic tensor has no value to store:
    TypeError. In eager mode the same line works.

    How to fix it
    `tf.convert_to_tensor(x)` takes tensors and values alike. With a `dtype` that differs, use
    `tf.cast`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD804"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"Expected any non-tensor type, but got a tensor",
            meaning="`tf.constant` gets a tensor, which works only in eager mode",
            order="Use `tf.convert_to_tensor`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def total(x):
                    return tf.constant(tf.reduce_sum(x))


                print(total(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def total(x):
                    return tf.convert_to_tensor(tf.reduce_sum(x))


                print(total(tf.ones([2])).numpy())
                """,
            raises="TypeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in uses(facts, "constant"):
            what = facts.text(event.given) or "the value"
            yield self.finding(
                facts.span(at(event)),
                f"`{what}` is a tensor, which `tf.constant` does not accept in a graph",
                function_at(event),
                event=event,
                fix=_fix(facts, event),
            )


def _fix(facts: Facts, event: Use) -> Fix:
    found = call_at(facts, event)
    written = converted(*found) if found is not None else None
    if written is None:
        return Fix(title="Use `tf.convert_to_tensor`", safety=Safety.MANUAL)
    title, edit, sure = written
    return offer(title, edit, Safety.SAFE if sure else Safety.UNSAFE)
