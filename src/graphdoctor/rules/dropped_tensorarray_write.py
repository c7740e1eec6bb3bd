"""GD311."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module

CHANGERS = {"write", "unstack", "scatter", "split"}


class DroppedTensorarrayWrite(Rule):
    """`TensorArray.write` returns the changed array; without an assignment the change is lost.

    What it finds
    `array.write(index, value)` (or `unstack`, `scatter`, `split`) as a statement of its own in a
    traced function, where `array` is known to be a `tf.TensorArray`.

    Why it matters
    In a graph the method returns a new array and leaves the old one as it was: what was written is
    lost without a word, and the result is zeros. Eagerly the same line works.

    How to fix it
    Keep what it returns: `array = array.write(index, value)`.

    When to leave it
    Never.
    """

    id = "GD311"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def squares():
                    array = tf.TensorArray(tf.int32, size=3)
                    for i in tf.range(3):
                        array.write(i, i * i)
                    return array.stack()


                print(squares().numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def squares():
                    array = tf.TensorArray(tf.int32, size=3)
                    for i in tf.range(3):
                        array = array.write(i, i * i)
                    return array.stack()


                print(squares().numpy())
                """,
            output=("[0 0 0]", "[0 1 4]"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for statement in body.of(ast.Expr):
                call = statement.value
                target = call.func if isinstance(call, ast.Call) else None
                if (
                    not isinstance(target, ast.Attribute)
                    or target.attr not in CHANGERS
                    or body.kind(target.value) is not Kind.TENSOR_ARRAY
                ):
                    continue
                name = body.home.source_of(target.value)
                yield self.finding_in(
                    body,
                    call,
                    f"what `{target.attr}` returns is dropped, and `{name}` stays as it was",
                    fix=Fix(
                        title=f"Assign the result to `{name}`",
                        safety=Safety.SAFE,
                        edits=(body.home.insert_before(call, f"{name} = "),),
                    ),
                )
