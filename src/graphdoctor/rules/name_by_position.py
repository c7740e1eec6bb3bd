"""GD805."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.signatures import signatures


class NameByPosition(Rule):
    """A dtype or tensor given where TensorFlow expects the operation's name.

    What it finds
    A call in a traced function whose argument at the position of the parameter `name` is a dtype or
    a tensor: `tf.sqrt(x, tf.float32)`.

    Why it matters
    Eagerly the name is ignored, and the mistake with it. In a graph each operation has a name, and
    something that is no string raises TypeError.

    How to fix it
    Give the argument to the parameter it was meant for, or drop it.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD805"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def root(x):
                    return tf.sqrt(x, tf.float32)


                print(root(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def root(x):
                    return tf.sqrt(tf.cast(x, tf.float32))


                print(root(tf.ones([2])).numpy())
                """,
            raises="TypeError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for call in body.of(ast.Call):
                position = signatures().name.get(body.dotted(call.func) or "")
                if position is None or len(call.args) <= position:
                    continue
                if any(isinstance(argument, ast.Starred) for argument in call.args):
                    continue
                given = call.args[position]
                if _is_no_name(body, given) and not body.is_guarded(call):
                    yield self.finding_in(
                        body,
                        given,
                        f"`{body.home.source_of(given)}` is given to the parameter `name` of "
                        f"`{body.home.source_of(call.func)}`",
                    )


def _is_no_name(body: Body, node: ast.expr) -> bool:
    dtypes = ("float", "int", "bool", "uint", "bfloat", "complex")
    name = body.dotted(node) or ""
    is_dtype = name.startswith("tensorflow.") and name.removeprefix("tensorflow.").startswith(dtypes)
    return is_dtype or body.kind(node) is Kind.TENSOR
