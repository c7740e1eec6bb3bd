"""GD315."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Staging
from graphdoctor.rewriting.bodies import Body
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import body_at, function_at, refusals, span_at
from graphdoctor.source.names import module_alias


class WhileTrueWithTensorBreak(Rule):
    """`while True` is a Python loop; a tensor cannot end it.

    What it finds
    `while True:` (or `while 1:`) that is left by a `break` under an `if` on a tensor, in a function
    that AutoGraph converts.

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
        told = set()
        for event in refusals(facts, "break-endless"):
            loop = event.chain[-1].loops[-1].place
            if loop in told:
                continue
            told.add(loop)
            found = body_at(facts, loop)
            test = found[1].test if found and isinstance(found[1], ast.While) else None
            yield self.finding(
                found[0].home.span(test) if found and test is not None else span_at(facts, event, loop),
                "a tensor decides when this Python loop ends, which is unrolled while tracing",
                function_at(event),
                event=event,
                fix=_fix(found[0], test, event) if found and test is not None else None,
            )


def _fix(body: Body, test: ast.expr, event: Staging) -> Fix | None:
    tensorflow = module_alias("tensorflow", body.scope)
    if tensorflow is None:
        return None
    text = f"{tensorflow}.constant(True)"
    edits = (body.home.replace(test, text),)
    # What it returns is still to be moved out of the loop: GD317 does so.
    safety = Safety.SAFE if event.construct == "break" else Safety.UNSAFE
    return Fix(title=f"Write `while {text}`", safety=safety, edits=edits)
