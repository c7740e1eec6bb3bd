"""GD329."""

import ast
import json
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.control_flow import is_tensor_test
from graphdoctor.source.names import module_alias


class AssertOfTensor(Rule):
    """`assert` needs the value of a tensor while tracing, when there is none.

    What it finds
    `assert condition` in a traced function, where the condition is a tensor.

    Why it matters
    `assert` is Python. A symbolic tensor has no truth value: OperatorNotAllowedInGraphError.

    How to fix it
    `tf.debugging.Assert(condition, [values])` or one of `tf.debugging.assert_*` check when the graph
    runs. The fix is not called safe: it raises InvalidArgumentError instead of AssertionError.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD329"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def root(x):
                    assert tf.reduce_all(x >= 0.0)
                    return tf.sqrt(x)


                print(root(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def root(x):
                    tf.debugging.Assert(tf.reduce_all(x >= 0.0), ["tf.reduce_all(x >= 0.0)"])
                    return tf.sqrt(x)


                print(root(tf.ones([2])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for node in body.of(ast.Assert):
                if is_tensor_test(body, node.test) and not body.is_guarded(node):
                    yield self.finding_in(
                        body,
                        node.test,
                        f"`assert` needs the value of `{body.home.source_of(node.test)}` while tracing",
                        fix=_fix(body, node),
                    )


def _fix(body: Body, node: ast.Assert) -> Fix:
    tensorflow = module_alias("tensorflow", body.scope)
    if tensorflow is None:
        return Fix(title="Use `tf.debugging.Assert`", safety=Safety.MANUAL)
    plain = node.msg is None or isinstance(node.msg, ast.Constant)
    shown = (
        body.home.source_of(node.msg) if node.msg is not None else json.dumps(body.home.source_of(node.test))
    )
    text = f"{tensorflow}.debugging.Assert({body.home.source_of(node.test)}, [{shown}])"
    if not plain:
        return Fix(title="Use `tf.debugging.Assert`", safety=Safety.MANUAL)
    edits = (body.home.replace(node, text),)
    return Fix(title="Use `tf.debugging.Assert`", safety=Safety.UNSAFE, edits=edits)
