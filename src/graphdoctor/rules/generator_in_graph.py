"""GD321."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.unconverted import first_decision


class GeneratorInGraph(Rule):
    """AutoGraph does not convert a generator function.

    What it finds
    A function with `yield` that is called from a traced function and has an `if`, `while` or `for` on
    a tensor.

    Why it matters
    AutoGraph runs generators as they stand. Their tensor conditions raise
    OperatorNotAllowedInGraphError.

    How to fix it
    Return a list, or make it a `tf.data.Dataset`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD321"
    severity = Severity.ERROR
    reasons = ("generator",)
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                def halves(x):
                    for _ in range(2):
                        if tf.reduce_sum(x) > 1.0:
                            x = x / 2.0
                        yield x


                @tf.function
                def total(x):
                    return tf.add_n(list(halves(x)))


                print(total(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                def halves(x):
                    results = []
                    for _ in range(2):
                        if tf.reduce_sum(x) > 1.0:
                            x = x / 2.0
                        results.append(x)
                    return results


                @tf.function
                def total(x):
                    return tf.add_n(halves(x))


                print(total(tf.ones([2])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            yields = [*body.of(ast.Yield), *body.of(ast.YieldFrom)]
            decision = first_decision(body) if yields else None
            if decision is not None:
                yield self.finding_in(
                    body,
                    decision.tensor,
                    f"AutoGraph does not convert the generator `{body.name}`, so that its "
                    f"{decision.what} needs the value of a tensor while tracing",
                )
