"""GD903."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.xla import is_compiled


class XlaDropsAssertion(Rule):
    """XLA leaves assertions out: what they should catch passes.

    What it finds
    `tf.debugging.assert_*`, `tf.debugging.Assert` or `tf.Assert` in a function with `jit_compile=True`.

    Why it matters
    XLA has no way to raise from compiled code. It compiles the function without the assertion, and says
    nothing (TensorFlow 2.21).

    How to fix it
    Check before calling the function, or return the condition and check it outside.

    When to leave it
    When the assertion serves the runs without XLA, and you know that it does not hold with it.
    """

    id = "GD903"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(jit_compile=True)
                def root(x):
                    tf.debugging.assert_non_negative(x)
                    return x + 1.0


                print(root(tf.constant(-1.0)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function(jit_compile=True)
                def root(x):
                    return x + 1.0


                x = tf.constant(1.0)
                tf.debugging.assert_non_negative(x)
                print(root(x).numpy())
                """,
            output=("0.0", "2.0"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for call in body.of(ast.Call) if is_compiled(body) else ():
                name = body.dotted(call.func) or ""
                if name.startswith("tensorflow.debugging.assert_") or name in (
                    "tensorflow.debugging.Assert",
                    "tensorflow.Assert",
                ):
                    yield self.finding_in(
                        body,
                        call,
                        f"XLA leaves `{body.home.source_of(call.func)}` out of the compiled function",
                    )
