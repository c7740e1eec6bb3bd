"""GD333."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body

INSTEAD = {
    "sum": "`tf.reduce_sum`",
    "max": "`tf.reduce_max` or `tf.maximum`",
    "min": "`tf.reduce_min` or `tf.minimum`",
    "any": "`tf.reduce_any`",
    "all": "`tf.reduce_all`",
    "bool": "the tensor itself",
    "set": "`tf.unique`",
    "list": "`tf.unstack`",
    "tuple": "`tf.unstack`",
    "zip": "`tf.unstack`",
    "enumerate": "`tf.range`",
}


class PythonBuiltinOnTensor(Rule):
    """`sum`, `max`, `any`, `zip`, `enumerate` and other built-ins ask a tensor for values it has not.

    What it finds
    `sum`, `max`, `min`, `any`, `all`, `bool`, `list`, `tuple`, `set`, `zip` or `enumerate` of a
    tensor, and `tensor in [...]`, in a traced function. Not `len`, `int`, `float`, `abs`, `sorted`,
    `range`: AutoGraph knows these.

    Why it matters
    They iterate over the tensor, or compare its elements, in Python. A symbolic tensor has no values
    while tracing: OperatorNotAllowedInGraphError.

    How to fix it
    Use the operation: `tf.reduce_sum`, `tf.maximum`, `tf.reduce_any`, `tf.unstack`. `sum(x)` of a
    matrix adds its rows, which is `tf.reduce_sum(x, axis=0)`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD333"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def limit(x):
                    return max(tf.reduce_sum(x), 1.0)


                print(limit(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def limit(x):
                    return tf.maximum(tf.reduce_sum(x), 1.0)


                print(limit(tf.ones([2])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def weighted(x):
                    total = 0.0
                    for i, value in enumerate(tf.square(x)):
                        total += i * value
                    return total


                print(weighted(tf.ones([3])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def weighted(x):
                    total = 0.0
                    for i, value in enumerate(tf.unstack(tf.square(x))):
                        total += i * value
                    return total


                print(weighted(tf.ones([3])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for node, tensor, name in (*_calls(body), *_memberships(body)):
                if body.is_guarded(node):
                    continue
                yield self.finding_in(
                    body,
                    node,
                    f"`{name}` needs the values of the tensor `{body.home.source_of(tensor)}` while tracing",
                    fix=Fix(title=f"Use {INSTEAD.get(name, '`tf.reduce_any`')}", safety=Safety.MANUAL),
                )


def _calls(body: Body) -> Iterator[tuple[ast.AST, ast.expr, str]]:
    for call in body.of(ast.Call):
        called = body.dotted(call.func) or ""
        name = called.removeprefix("builtins.")
        if not called.startswith("builtins.") or name not in INSTEAD or call.keywords:
            continue
        for argument in call.args:
            if not isinstance(argument, ast.Starred) and body.kind(argument) is Kind.TENSOR:
                yield call, argument, name
                break


def _memberships(body: Body) -> Iterator[tuple[ast.AST, ast.expr, str]]:
    for node in body.of(ast.Compare):
        plain = len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn)
        container = body.kind(node.comparators[0]) if plain else Kind.UNKNOWN
        if container in (Kind.LIST, Kind.TUPLE) and body.kind(node.left) is Kind.TENSOR:
            yield node, node.left, "in"
