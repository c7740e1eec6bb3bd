"""GD401."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Module
from graphdoctor.source.bodies import Body


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
    failures = (
        FailureText(
            pattern=r"only supports singleton tf\.Variables|Creating variables on a non-first call",
            meaning="a variable is created here on a call that is not the first; a graph function "
            "may create variables once only",
            order="Create it outside, once",
        ),
    )
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
                if body.dotted(call.func) == "tensorflow.Variable" and is_always_made(body, call):
                    yield self.finding_in(
                        body,
                        call,
                        f"each trace of `{body.name}` makes a new Variable, which TensorFlow forbids",
                        fix=Fix(title="Make it once, outside", safety=Safety.MANUAL),
                    )


def is_always_made(body: Body, node: ast.AST) -> bool:
    """Whether each trace makes it: no `if` of Python's stands around it, nor around a call on the way."""
    return body.is_always_run(node) and any(reach.always for reach in body.reaches)
