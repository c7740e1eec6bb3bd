"""GD317."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Staging
from graphdoctor.refactoring.control_flow.early_returns import to_break
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import body_at, function_at, kind_of, refusals, span_at


class ReturnInTensorLoop(Rule):
    """`return` is not allowed inside a TensorFlow loop.

    What it finds
    `return` inside a loop that AutoGraph turns into a TensorFlow loop: over `tf.range`, a tensor or a
    dataset, or `while` on a tensor.

    Why it matters
    The loop becomes one operation that cannot end the function around it: AutoGraph raises
    NotImplementedError: "a return statement cannot be placed inside this TensorFlow loop".

    How to fix it
    Set a result and `break`; return the result after the loop. There is an automatic fix where one `return`
    is in the loop and another directly after it. It is marked unsafe: the value returned after the loop is
    also computed before it.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD317"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"a return statement cannot be placed inside this TensorFlow loop",
            meaning="a `return` inside a TensorFlow loop cannot be converted to the graph",
            order="Set a result and `break`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def first_large(values):
                    for i in tf.range(4):
                        if values[i] > 2.0:
                            return i
                    return -1


                print(first_large(tf.constant([1.0, 2.0, 3.0, 4.0])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def first_large(values):
                    result = -1
                    for i in tf.range(4):
                        if values[i] > 2.0:
                            result = i
                            break
                    return result


                print(first_large(tf.constant([1.0, 2.0, 3.0, 4.0])).numpy())
                """,
            raises="NotImplementedError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in refusals(facts, "return-in-loop"):
            yield self.finding(
                span_at(facts, event),
                "`return` is inside a loop that becomes one TensorFlow operation",
                function_at(event),
                event=event,
                fix=_fix(facts, event),
            )


def _fix(facts: Facts, event: Staging) -> Fix:
    found = body_at(facts, event.chain[-1].place)
    kind = kind_of(event.conflict.after if event.conflict is not None else None)
    edits = to_break(*found, kind) if found else None
    return offer("Set a result and `break`", edits)
