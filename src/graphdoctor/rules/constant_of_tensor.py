"""GD804."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body


class ConstantOfTensor(Rule):
    """`tf.constant` cannot make a constant of what is only known when the graph runs.

    What it finds
    `tf.constant(x)` in a traced function, where `x` is a tensor.

    Why it matters
    A constant is stored in the graph while tracing; a symbolic tensor has no value to store:
    TypeError. In eager mode the same line works.

    How to fix it
    `tf.convert_to_tensor(x)` takes tensors and values alike. With a `dtype` that differs, use
    `tf.cast`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD804"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"Expected any non-tensor type, but got a tensor",
            meaning="`tf.constant` was given a tensor, which works eagerly only",
            order="Use `tf.convert_to_tensor`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def total(x):
                    return tf.constant(tf.reduce_sum(x))


                print(total(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def total(x):
                    return tf.convert_to_tensor(tf.reduce_sum(x))


                print(total(tf.ones([2])).numpy())
                """,
            raises="TypeError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for call in body.of(ast.Call):
                if body.dotted(call.func) != "tensorflow.constant" or not call.args or body.is_guarded(call):
                    continue
                if body.kind(call.args[0]) is Kind.TENSOR:
                    yield self.finding_in(
                        body,
                        call,
                        f"`{body.home.source_of(call.args[0])}` is a tensor; no constant can be made of it",
                        fix=_fix(body, call),
                    )


def _fix(body: Body, call: ast.Call) -> Fix:
    target = call.func
    if len(call.args) > 1 or call.keywords or not isinstance(target, ast.Attribute):
        return Fix(title="Use `tf.convert_to_tensor`", safety=Safety.MANUAL)
    text = f"{body.home.source_of(target.value)}.convert_to_tensor"
    edits = (body.home.replace(target, text),)
    return Fix(title="Use `tf.convert_to_tensor`", safety=Safety.SAFE, edits=edits)
