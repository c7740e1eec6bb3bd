"""GD806."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Use
from graphdoctor.refactoring.calls.items import scattered
from graphdoctor.rules.event_places import at, function_at, uses
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import body_at
from graphdoctor.source.surroundings import statement_of


class TensorItemAssigned(Rule):
    """A tensor is immutable: `x[i] = value` raises.

    What it finds
    An assignment to an element or slice of a tensor in a traced function.

    Why it matters
    Tensors are immutable, unlike NumPy arrays: TypeError "does not support item assignment".

    How to fix it
    `tf.tensor_scatter_nd_update(x, [[i]], [value])`, `tf.where` with a mask, or a `tf.TensorArray`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD806"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def clear(x):
                    y = tf.identity(x)
                    y[0] = 0.0
                    return y


                print(clear(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def clear(x):
                    y = tf.identity(x)
                    y = tf.tensor_scatter_nd_update(y, [[0]], [0.0])
                    return y


                print(clear(tf.ones([2])).numpy())
                """,
            raises="TypeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in uses(facts, "item"):
            what = facts.text(event.given) or "the value"
            yield self.finding(
                facts.span(at(event)),
                f"`{what}` is a tensor, which is immutable",
                function_at(event),
                event=event,
                fix=_fix(facts, event),
            )


def _fix(facts: Facts, event: Use) -> Fix:
    found, value = body_at(facts, at(event)), event.value
    statement = statement_of(*found) if found is not None else None
    if found is not None and statement is not None:
        shape, variable = (value.shape, value.kind == "variable") if value is not None else (None, False)
        written = scattered(found[0].home, statement, shape, variable)
        if written is not None:
            return offer(*written)
    return Fix(title="Use `tf.tensor_scatter_nd_update`", safety=Safety.MANUAL)
