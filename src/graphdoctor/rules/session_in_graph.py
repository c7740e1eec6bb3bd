"""GD906."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module

LEFTOVERS = {
    f"tensorflow.compat.v1.{name}"
    for name in ("placeholder", "Session", "InteractiveSession", "get_default_session")
}


class SessionInGraph(Rule):
    """Placeholders and sessions of TensorFlow 1 do not work in a `tf.function`.

    What it finds
    `tf.compat.v1.placeholder`, `tf.compat.v1.Session` and the like in a traced function.

    Why it matters
    Nothing feeds the placeholder when the graph function runs, and a session cannot run a graph that
    is still being traced: InvalidArgumentError.

    How to fix it
    Make the placeholder a parameter of the function; return the value instead of running it.

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
