"""GD806."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.flow import reaching_bindings


class TensorItemAssigned(Rule):
    """A tensor cannot be changed: `x[i] = value` raises.

    What it finds
    An assignment to an element or slice of a tensor in a traced function.

    Why it matters
    Tensors are immutable, unlike NumPy arrays: TypeError "does not support item assignment".

    How to fix it
    `tf.tensor_scatter_nd_update(x, [[i]], [value])`, `tf.where` with a mask, or a `tf.TensorArray`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD806"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def clear(x):
                    y = tf.identity(x)
                    y[0] = 0.0
                    return y


                print(clear(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def clear(x):
                    y = tf.identity(x)
                    y = tf.tensor_scatter_nd_update(y, [[0]], [0.0])
                    return y


                print(clear(tf.ones([2])).numpy())
                """,
            raises="TypeError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for item in body.of(ast.Subscript):
                if not isinstance(item.ctx, ast.Store) or body.is_guarded(item):
                    continue
                if body.kind(item.value) is Kind.TENSOR and not _only_annotated(module, body, item.value):
                    yield self.finding_in(
                        body,
                        item,
                        f"`{body.home.source_of(item.value)}` is a tensor, which cannot be changed",
                        fix=Fix(title="Use `tf.tensor_scatter_nd_update`", safety=Safety.MANUAL),
                    )


def _only_annotated(module: Module, body: Body, node: ast.expr) -> bool:
    """Whether nothing but an annotation calls it a tensor: people write `tf.Tensor` for lists of tensors."""
    found = reaching_bindings(node, body.scope_of(node)) if isinstance(node, ast.Name) else None
    return found is not None and any(
        isinstance(binding.node, ast.arg)
        and binding.node.annotation is not None
        and module.context.kind_of_parameter(binding.node, found[0], 0) is not Kind.TENSOR
        for binding in found[1]
    )
