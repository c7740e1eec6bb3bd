"""GD303."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Module
from graphdoctor.source.control_flow import graph_branches


class ReturnInOneBranch(Rule):
    """A tensor `if` that returns a value on one way and nothing on the other cannot be traced.

    What it finds
    `return value` in a branch of an `if` on a tensor at the end of a function, where the other way
    falls off the end without a `return`.

    Why it matters
    Both ways are traced into one operation with one result; None is not a tensor. TensorFlow raises
    ValueError: "must also have a return statement".

    How to fix it
    Return a value of the same dtype and shape on each way.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD303"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"the (\w+) branch must also have a return statement",
            meaning="the {0} branch of a tensor `if` returns nothing, but the other returns a value",
            order="Return in both branches",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def positive(x):
                    if tf.reduce_sum(x) > 0.0:
                        return x


                print(positive(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def positive(x):
                    if tf.reduce_sum(x) > 0.0:
                        return x
                    return tf.zeros_like(x)


                print(positive(tf.ones([2])).numpy())
                """,
            raises="ValueError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            statements = body.function.node.body
            last = statements[-1] if isinstance(statements, list) else None
            if isinstance(last, ast.If) and last in set(graph_branches(body)):
                missing = _missing_return(last)
                if missing is not None:
                    yield self.finding_in(
                        body,
                        last.test,
                        f"`{body.name}` returns a value only in the {missing} of an `if` on a tensor",
                        fix=Fix(title="Return a value on both ways", safety=Safety.MANUAL),
                    )


def _missing_return(branch: ast.If) -> str | None:
    first, second = _returns_value(branch.body), _returns_value(branch.orelse)
    if first and not branch.orelse:
        return "first branch"
    if first is second or (branch.orelse and isinstance(branch.orelse[-1], ast.If | ast.Raise)):
        return None
    if isinstance(branch.body[-1], ast.If | ast.Raise | ast.With | ast.Try):
        return None
    if branch.orelse and isinstance(branch.orelse[-1], ast.With | ast.Try | ast.For | ast.While):
        return None
    return "first branch" if first else "`else` branch"


def _returns_value(statements: list[ast.stmt]) -> bool:
    last = statements[-1] if statements else None
    return isinstance(last, ast.Return) and last.value is not None and not _is_none(last.value)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
