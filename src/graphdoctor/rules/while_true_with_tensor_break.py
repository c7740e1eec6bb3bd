"""GD315."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.control_flow import graph_branches, loop_around
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

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            branches = set(graph_branches(body))
            told = set()
            for node in body.of(ast.Break):
                loop = loop_around(body, node)
                if not isinstance(loop, ast.While) or loop in told or not _is_true(loop.test):
                    continue
                inner = [outer for outer in body.ancestors(node) if outer in branches]
                if inner and loop_around(body, inner[0]) is loop:
                    told.add(loop)
                    tensorflow = module_alias("tensorflow", body.scope)
                    text = f"{tensorflow}.constant(True)"
                    yield self.finding_in(
                        body,
                        loop.test,
                        "a tensor decides when this Python loop ends, which is unrolled while tracing",
                        fix=Fix(
                            title=f"Write `while {text}`",
                            safety=Safety.SAFE,
                            edits=(body.home.replace(loop.test, text),),
                        )
                        if tensorflow
                        else None,
                    )


def _is_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and test.value in (True, 1)
