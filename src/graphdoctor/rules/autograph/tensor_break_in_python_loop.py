"""GD314."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Staging
from graphdoctor.refactoring.control_flow.loops import to_graph_loop
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import body_at, function_at, refusals, span_at


class TensorBreakInPythonLoop(Rule):
    """A tensor condition cannot `break` out of a Python loop.

    What it finds
    `break` under an `if` on a tensor, in a `for` loop over a Python `range` or list, in a function
    that AutoGraph converts.

    Why it matters
    A Python loop is unrolled while tracing. Whether it ends early is known only when the graph runs:
    AutoGraph raises NotImplementedError.

    How to fix it
    Make it a TensorFlow loop: `for i in tf.range(n)`. The fix is marked unsafe: the index becomes a tensor,
    and the loop variables must keep their shape and dtype.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD314"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"break and return statements which depend on a TF condition",
            meaning="a tensor decides when this Python loop ends, but the loop is unrolled while tracing, "
            "before any value is known",
            order="Loop over `tf.range`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def grow(x):
                    for _ in range(10):
                        if tf.reduce_sum(x) > 20.0:
                            break
                        x = x * 2.0
                    return x


                print(grow(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def grow(x):
                    for _ in tf.range(10):
                        if tf.reduce_sum(x) > 20.0:
                            break
                        x = x * 2.0
                    return x


                print(grow(tf.ones([2])).numpy())
                """,
            raises="NotImplementedError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in refusals(facts, "break"):
            yield self.finding(
                span_at(facts, event),
                "a tensor decides when this Python loop ends, but the loop is unrolled while tracing",
                function_at(event),
                event=event,
                fix=_fix(facts, event),
            )


def _fix(facts: Facts, event: Staging) -> Fix:
    loops = event.chain[-1].loops
    found = body_at(facts, loops[-1].place) if loops else None
    loop = to_graph_loop(*found) if found is not None else None
    if loop is None:
        return Fix(title="Use a TensorFlow loop", safety=Safety.MANUAL)
    return offer(*loop)
