"""GD329."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.refactoring.calls.assertions import asserted, assertion_of
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import body_at, function_at, refusals, span_at, text_at


class AssertOfTensor(Rule):
    """`assert` needs the value of a tensor while tracing, when there is none.

    What it finds
    `assert condition` in a traced function, where the condition is a tensor.

    Why it matters
    `assert` is Python. A symbolic tensor has no truth value: OperatorNotAllowedInGraphError.

    How to fix it
    `tf.debugging.Assert(condition, [values])` or one of `tf.debugging.assert_*` check when the graph runs.
    The fix is marked unsafe: it raises InvalidArgumentError instead of AssertionError.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD329"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def root(x):
                    assert tf.reduce_all(x >= 0.0)
                    return tf.sqrt(x)


                print(root(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def root(x):
                    tf.debugging.Assert(tf.reduce_all(x >= 0.0), ["tf.reduce_all(x >= 0.0)"])
                    return tf.sqrt(x)


                print(root(tf.ones([2])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in refusals(facts, "assert"):
            place = event.chain[-1].place
            found = body_at(facts, place)
            statement = assertion_of(*found) if found else None
            yield self.finding(
                span_at(facts, event),
                f"`assert` needs the value of `{text_at(facts, place) or 'a tensor'}` while tracing",
                function_at(event),
                event=event,
                fix=offer("Use `tf.debugging.Assert`", asserted(found[0], statement))
                if found and statement
                else None,
            )
