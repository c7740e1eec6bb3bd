"""GD602."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.unknown_sizes import unknown_sizes


class UnknownSizeCompared(Rule):
    """`x.shape[0] == 3` is false for every input where the signature leaves the size open.

    What it finds
    `x.shape[i] == number` or `!=` in a function whose `input_signature` has None for that axis.

    Why it matters
    While tracing the size is None, which equals no number. The comparison is decided then, once for
    all calls: the branch for that size is never taken, without a word.

    How to fix it
    Compare `tf.shape(x)[i]`, the size when the graph runs.

    When to leave it
    When you compare with None, to ask whether the size is known.
    """

    id = "GD602"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
                def is_pair(x):
                    return x.shape[0] == 2


                print(is_pair(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
                def is_pair(x):
                    return tf.shape(x)[0] == 2


                print(is_pair(tf.ones([2])).numpy())
                """,
            output=("False", "True"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for node, tensor, axis in unknown_sizes(module, body):
                parent = body.parents.get(node)
                if isinstance(parent, ast.Compare) and _with_number(parent, node):
                    yield self.finding_in(
                        body,
                        parent,
                        f"`{body.home.source_of(node)}` is None while tracing: the signature leaves axis "
                        f"{axis} of `{tensor}` open",
                        argument=tensor,
                        fix=Fix(title="Compare `tf.shape`", safety=Safety.MANUAL),
                    )


def _with_number(compare: ast.Compare, node: ast.AST) -> bool:
    sides = [compare.left, *compare.comparators]
    others = [side for side in sides if side is not node]
    equality = all(isinstance(operator, ast.Eq | ast.NotEq) for operator in compare.ops)
    return equality and all(isinstance(o, ast.Constant) and isinstance(o.value, int) for o in others)
