"""GD906."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module

# Sessions are left alone: they can run what does not depend on the function's arguments.
LEFTOVERS = {f"tensorflow.compat.v1.{name}" for name in ("placeholder", "sparse_placeholder")}


class PlaceholderInGraph(Rule):
    """Placeholders of TensorFlow 1 do not work in a `tf.function`.

    What it finds
    `tf.compat.v1.placeholder` in a traced function.

    Why it matters
    Nothing feeds the placeholder when the graph function runs: InvalidArgumentError.

    How to fix it
    Make the placeholder a parameter of the function.

    When to leave it
    Never: it raises when the function is called.
    """

    id = "GD906"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def add(x):
                    y = tf.compat.v1.placeholder(tf.float32, [2])
                    return x + y


                print(add(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def add(x, y):
                    return x + y


                print(add(tf.ones([2]), tf.ones([2])).numpy())
                """,
            raises="InvalidArgumentError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for call in body.of(ast.Call):
                name = body.dotted(call.func)
                if name in LEFTOVERS:
                    yield self.finding_in(
                        body,
                        call,
                        f"`{body.home.source_of(call.func)}` belongs to TensorFlow 1 and fails in a graph",
                    )
