"""GD401."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.control_flow import is_tensor_test


class VariableInGraph(Rule):
    """A `tf.Variable` made in a traced function is made anew at each trace, which TensorFlow forbids.

    What it finds
    `tf.Variable(…)` in a traced function, on a way that each trace takes: not under an `if` such as
    `if self.v is None`, and not in `tf.init_scope`.

    Why it matters
    A Variable belongs to the program, not to a graph. TensorFlow raises ValueError: "tf.function only
    supports singleton tf.Variables created on the first call".

    How to fix it
    Make it once: in `__init__`, at the top of the module, or under `if self.v is None:`. For a value
    that only lives in the call, a tensor will do.

    When to leave it
    Never: it raises when the function is called.
    """

    id = "GD401"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def add(x):
                    offset = tf.Variable(1.0)
                    return x + offset


                print(add(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf

                offset = tf.Variable(1.0)


                @tf.function
                def add(x):
                    return x + offset


                print(add(tf.ones([2])).numpy())
                """,
            raises="ValueError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for call in body.of(ast.Call):
                if body.dotted(call.func) == "tensorflow.Variable" and is_always_run(body, call):
                    yield self.finding_in(
                        body,
                        call,
                        f"each trace of `{body.name}` makes a new Variable, which TensorFlow forbids",
                        fix=Fix(title="Make it once, outside", safety=Safety.MANUAL),
                    )


def is_always_run(body: Body, node: ast.AST) -> bool:
    """False under an `if`, a `try` or a conditional of Python's, which may guard the first call."""
    function = body.function.node
    statements = function.body if isinstance(function.body, list) else []
    inner: ast.AST = node
    for outer in body.ancestors(node):
        if isinstance(outer, ast.If) and not is_tensor_test(body, outer.test):
            return False
        if isinstance(outer, ast.IfExp | ast.BoolOp | ast.Try):
            return False
        if outer is function:
            before = statements[: statements.index(inner)] if inner in statements else []
            return not any(_may_leave(statement) for statement in before)
        inner = outer
    return False


def _may_leave(statement: ast.stmt) -> bool:
    """Whether a statement before may have returned: `if self.built: return`."""
    return isinstance(statement, ast.If) and any(isinstance(n, ast.Return) for n in ast.walk(statement))
