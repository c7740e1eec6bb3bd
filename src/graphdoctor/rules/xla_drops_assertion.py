"""GD903."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.kinds import tensor_like
from graphdoctor.source.xla import is_compiled

SIZES = {f"tensorflow.{name}" for name in ("rank", "size", "shape")}
# Those of types, ranks and shapes are settled while tracing.
ASSERTIONS = {"tensorflow.Assert", "tensorflow.debugging.Assert"} | {
    f"tensorflow.debugging.assert_{name}"
    for name in (
        "equal", "none_equal", "near", "less", "less_equal", "greater", "greater_equal", "positive",
        "negative", "non_negative", "non_positive", "all_finite", "integer",
    )
}  # fmt: skip


class XlaDropsAssertion(Rule):
    """XLA leaves assertions out: what they should catch passes.

    What it finds
    `tf.debugging.assert_*`, `tf.debugging.Assert` or `tf.Assert` on the values of a tensor, in a function
    with `jit_compile=True` or one of the same file that it calls.

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
            for call in body.of(ast.Call) if is_compiled(body) and body.home is module else ():
                if (body.dotted(call.func) or "") in ASSERTIONS and _is_of_values(body, call):
                    yield self.finding_in(
                        body,
                        call,
                        f"XLA leaves `{body.home.source_of(call.func)}` out of the compiled function",
                    )


def _is_of_values(body: Body, call: ast.Call) -> bool:
    """Whether a tensor's values decide; numbers, sizes and ranks are compared while tracing."""
    parts = [part for argument in call.args[:2] for part in ast.walk(argument)]
    if any(isinstance(part, ast.Call) and body.dotted(part.func) in SIZES for part in parts):
        return False
    kinds = [body.kind(argument) for argument in call.args[:2]]
    if Kind.SHAPE in kinds:
        return False
    return tensor_like(kinds) or Kind.TENSORS in kinds or any(_is_argument(body, part) for part in parts)


def _is_argument(body: Body, node: ast.AST) -> bool:
    """Whether a node is a parameter of a graph function, of which no call says that it is a number."""
    found = body.scope.lookup(node.id) if isinstance(node, ast.Name) else None
    given = found is not None and found[0] is body.scope and body.function.node in body.home.traced
    if found is None or not given or not isinstance(node, ast.expr):
        return False
    return body.kind(node) is Kind.UNKNOWN and all(binding.kind == "parameter" for binding in found[1])
