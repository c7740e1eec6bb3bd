"""GD408."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Staging
from graphdoctor.refactoring.initial_values.branch_structures import as_python, deciding
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import body_at, function_at, given_for, refusals, span_at


class RecursionOnTensor(Rule):
    """A recursion that ends by a tensor condition never ends while tracing.

    What it finds
    A function that calls itself under an `if` on a tensor, in code that AutoGraph converts.

    Why it matters
    Both branches of the `if` are traced, so the recursive call is traced without end: Python raises
    RecursionError.

    How to fix it
    Write it as a loop: `while n > 0:` on a tensor becomes a TensorFlow loop.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD408"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
                def factorial(n):
                    if n > 1:
                        return n * factorial(n - 1)
                    return 1


                print(factorial(tf.constant(4)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
                def factorial(n):
                    result = 1
                    while n > 1:
                        result = result * n
                        n = n - 1
                    return result


                print(factorial(tf.constant(4)).numpy())
                """,
            raises="StagingError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in refusals(facts, "recursion"):
            yield self.finding(
                span_at(facts, event),
                f"`{event.chain[-1].function}` calls itself under an `if` on a tensor, "
                "and both branches are traced",
                function_at(event),
                event=event,
                fix=_fix(facts, event),
            )


def _fix(facts: Facts, event: Staging) -> Fix:
    """The number that ends the recursion as a Python number: then it is unrolled while tracing."""
    found = body_at(facts, event.chain[-1].place)
    names = deciding(found[0]) if found is not None else []
    given = [each for name in names if (each := given_for(facts, event, name)) is not None]
    edits = [edit for each in given if (edit := as_python(*each)) is not None]
    if found is None or not edits or "input_signature" in found[0].home.text:
        return Fix(title="Write it as a loop", safety=Safety.MANUAL)
    return offer("Pass a Python number", edits)
