"""GD315."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Staging
from graphdoctor.refactoring.control_flow.loops import endless_in_graph, test_of
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import body_at, function_at, refusals, span_at
from graphdoctor.source.sites import Node
from graphdoctor.source.surroundings import Body


class WhileTrueWithTensorBreak(Rule):
    """`while True` is a Python loop; a tensor cannot end it.

    What it finds
    `while True:` (or `while 1:`) that ends by a `break` under an `if` on a tensor, in a function that
    AutoGraph converts.

    Why it matters
    The condition is Python, so the loop is unrolled while tracing, and would never end: AutoGraph
    raises NotImplementedError.

    How to fix it
    `while tf.constant(True):` makes it a TensorFlow loop.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD315"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def double(x):
                    while True:
                        x = x * 2.0
                        if tf.reduce_sum(x) > 20.0:
                            break
                    return x


                print(double(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def double(x):
                    while tf.constant(True):
                        x = x * 2.0
                        if tf.reduce_sum(x) > 20.0:
                            break
                    return x


                print(double(tf.ones([2])).numpy())
                """,
            raises="NotImplementedError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        reported = set()
        for event in refusals(facts, "break-endless"):
            loop = event.chain[-1].loops[-1].place
            if loop in reported:
                continue
            reported.add(loop)
            found = body_at(facts, loop)
            test = test_of(found[1]) if found else None
            yield self.finding(
                found[0].home.span(test) if found and test is not None else span_at(facts, event, loop),
                "a tensor decides when this Python loop ends, but the loop is unrolled while tracing",
                function_at(event),
                event=event,
                fix=_fix(*found, event) if found else None,
            )


def _fix(body: Body, loop: Node, event: Staging) -> Fix | None:
    made = endless_in_graph(body, loop)
    # What it returns is still to be moved out of the loop: GD317 does so.
    safety = Safety.SAFE if event.construct == "break" else Safety.UNSAFE
    return offer(f"Write `while {made[0]}`", made[1], safety) if made is not None else None
