"""GD902."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.xla import is_compiled


class XlaDynamicTensorarray(Rule):
    """Under XLA a TensorArray that starts empty stays empty.

    What it finds
    `tf.TensorArray(…, size=0, dynamic_size=True)` in a function with `jit_compile=True`.

    Why it matters
    XLA cannot let an array grow. What is written to it is dropped, `stack()` gives an empty tensor, and
    nothing is said (TensorFlow 2.21).

    How to fix it
    Give it its size: `tf.TensorArray(dtype, size=n)`.

    When to leave it
    Never.
    """

    id = "GD902"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(jit_compile=True)
                def squares(x):
                    array = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
                    for i in tf.range(3):
                        array = array.write(i, x * x)
                    return array.stack()


                print(squares(tf.constant(2.0)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function(jit_compile=True)
                def squares(x):
                    array = tf.TensorArray(tf.float32, size=3)
                    for i in tf.range(3):
                        array = array.write(i, x * x)
                    return array.stack()


                print(squares(tf.constant(2.0)).numpy())
                """,
            output=("[]", "[4. 4. 4.]"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for call in body.of(ast.Call) if is_compiled(body) else ():
                options = {keyword.arg: keyword.value for keyword in call.keywords}
                size = call.args[1] if len(call.args) > 1 else options.get("size")
                if body.dotted(call.func) != "tensorflow.TensorArray" or not _is(
                    options.get("dynamic_size"), True
                ):
                    continue
                if size is None or _is(size, 0):
                    yield self.finding_in(
                        body,
                        call,
                        "XLA drops what is written to an array that starts empty",
                        fix=Fix(title="Give it its size", safety=Safety.MANUAL),
                    )


def _is(node: ast.expr | None, value: object) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is type(value) and node.value == value
