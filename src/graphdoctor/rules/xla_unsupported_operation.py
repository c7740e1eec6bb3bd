"""GD901."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.xla import is_compiled

UNSUPPORTED = {"tensorflow.print", "tensorflow.py_function", "tensorflow.numpy_function"}
UNSUPPORTED_STRINGS = {
    f"tensorflow.strings.{name}" for name in ("as_string", "format", "join", "split", "length")
}


class XlaUnsupportedOperation(Rule):
    """XLA has no `tf.print`, no Python calls and no strings: compiling the function fails.

    What it finds
    `tf.print`, `tf.py_function`, `tf.numpy_function` or an operation of `tf.strings` in a function with
    `jit_compile=True`, or in a function that it calls.

    Why it matters
    XLA compiles the function as a whole. An operation it does not have raises InvalidArgumentError:
    "Detected unsupported operations when trying to compile graph".

    How to fix it
    Take the operation out of the compiled function: return the value and print it outside.

    When to leave it
    Never: it raises when the function is called.
    """

    id = "GD901"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(jit_compile=True)
                def double(x):
                    tf.print("x", x)
                    return x * 2.0


                double(tf.ones([2]))
                """,
            good="""
                import tensorflow as tf


                @tf.function(jit_compile=True)
                def double(x):
                    return x * 2.0


                tf.print("x", double(tf.ones([2])))
                """,
            raises="InvalidArgumentError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for call in body.of(ast.Call) if is_compiled(body) else ():
                name = body.dotted(call.func)
                if (name in UNSUPPORTED or name in UNSUPPORTED_STRINGS) and body.is_always_run(call):
                    yield self.finding_in(
                        body,
                        call,
                        f"XLA cannot compile `{body.home.source_of(call.func)}`",
                    )
