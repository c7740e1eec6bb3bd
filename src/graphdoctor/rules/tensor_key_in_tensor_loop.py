"""GD310."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module


class TensorKeyInTensorLoop(Rule):
    """A tensor cannot be the key of a Python dict.

    What it finds
    `counts[i] = …` or `counts[i]` in a traced function, where `counts` is a dict made there and `i`
    is a tensor, such as the index of a loop over `tf.range`.

    Why it matters
    A symbolic tensor has no value yet and cannot be hashed: TypeError "Tensor is unhashable".

    How to fix it
    Use a tensor and `tf.tensor_scatter_nd_update`, a `tf.TensorArray`, or a `tf.lookup` table.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD310"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def squares(n):
                    results = {}
                    for i in tf.range(n):
                        results[i] = i * i
                    return results


                print(squares(tf.constant(3)))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def squares(n):
                    results = tf.TensorArray(tf.int32, size=n)
                    for i in tf.range(n):
                        results = results.write(i, i * i)
                    return results.stack()


                print(squares(tf.constant(3)))
                """,
            raises="TypeError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for item in body.of(ast.Subscript):
                if body.is_guarded(item) or body.kind(item.slice) is not Kind.TENSOR:
                    continue
                if body.kind(item.value) is Kind.DICT:
                    yield self.finding_in(
                        body,
                        item,
                        f"the tensor `{body.home.source_of(item.slice)}` cannot be the key of a Python dict",
                    )
