"""GD332."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.names import module_alias


class TensorUnpacked(Rule):
    """`a, b = tensor` takes a tensor apart in Python, which cannot see its elements while tracing.

    What it finds
    Unpacking a tensor into names (`height, width = tf.shape(image)`) or into
    a call or list with `*`, in a traced function.

    Why it matters
    Python iterates over the tensor. A symbolic tensor cannot be iterated:
    OperatorNotAllowedInGraphError.

    How to fix it
    `a, b = tf.unstack(tensor)`. The number of elements must be known while tracing, as it is for
    `tf.shape` of a tensor of known rank.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD332"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def area(image):
                    height, width = tf.shape(image)
                    return height * width


                print(area(tf.ones([2, 3])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def area(image):
                    height, width = tf.unstack(tf.shape(image))
                    return height * width


                print(area(tf.ones([2, 3])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for value in _unpacked(body):
                if body.kind(value) is Kind.TENSOR and not body.is_guarded(value):
                    yield self.finding_in(
                        body,
                        value,
                        f"the tensor `{body.home.source_of(value)}` is taken apart while tracing",
                        fix=_fix(body, value),
                    )


def _unpacked(body: Body) -> Iterator[ast.expr]:
    for statement in body.of(ast.Assign):
        if any(isinstance(target, ast.Tuple | ast.List) for target in statement.targets):
            yield statement.value
    for star in body.of(ast.Starred):
        if isinstance(star.ctx, ast.Load):
            yield star.value


def _fix(body: Body, value: ast.expr) -> Fix:
    tensorflow = module_alias("tensorflow", body.scope_of(value))
    if tensorflow is None:
        return Fix(title="Use `tf.unstack`", safety=Safety.MANUAL)
    text = f"{tensorflow}.unstack({body.home.source_of(value)})"
    return Fix(title="Use `tf.unstack`", safety=Safety.SAFE, edits=(body.home.replace(value, text),))
