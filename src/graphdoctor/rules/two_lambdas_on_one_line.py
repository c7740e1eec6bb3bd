"""GD325."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.unconverted import first_decision


class TwoLambdasOnOneLine(Rule):
    """AutoGraph cannot tell two lambdas on one line apart, and converts neither.

    What it finds
    A lambda with a condition on a tensor that TensorFlow traces, when another lambda with the same
    parameters begins on the same line.

    Why it matters
    AutoGraph finds the source of a lambda by its line. With two it gives up with a warning, and the
    condition raises OperatorNotAllowedInGraphError.

    How to fix it
    Put each on a line of its own, or use `def`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD325"
    severity = Severity.ERROR
    reasons = ("lambdas-on-a-line",)
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                up, down = tf.function(lambda x: x + 1 if tf.abs(x) > 0 else x), (lambda x: x - 1)
                print(up(tf.constant(1)).numpy(), down(1))
                """,
            good="""
                import tensorflow as tf

                up = tf.function(lambda x: x + 1 if tf.abs(x) > 0 else x)
                down = lambda x: x - 1
                print(up(tf.constant(1)).numpy(), down(1))
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            node = body.function.node
            if not isinstance(node, ast.Lambda) or first_decision(body) is None:
                continue
            twins = [
                other
                for other in body.home.functions
                if isinstance(other, ast.Lambda)
                and other is not node
                and other.lineno == node.lineno
                and ast.dump(other.args) == ast.dump(node.args)
            ]
            if twins:
                yield self.finding_in(
                    body,
                    node,
                    "AutoGraph converts neither of two lambdas with the same parameters on one line",
                    fix=Fix(title="Give each its own line", safety=Safety.MANUAL),
                )
