"""GD307."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.control_flow import graph_loops
from graphdoctor.source.flow import flow_of

MAKERS = {"tensorflow.zeros", "tensorflow.ones", "tensorflow.constant", "tensorflow.fill"}
OPTIONS = "tensorflow.autograph.experimental.set_loop_options"


class LoopShapeGrows(Rule):
    """A tensor that `tf.concat` makes longer at each turn of a TensorFlow loop changes its shape.

    What it finds
    `x = tf.concat([x, …], …)` in a loop over a tensor (or `tf.range`, or a dataset), when `x` starts
    with a known shape and no `shape_invariants` allow it to grow.

    Why it matters
    The loop becomes one operation, in which each tensor keeps its shape. TensorFlow raises
    ValueError: "has shape (0,) before the loop, but shape (1,) after one iteration".

    How to fix it
    Collect in a `tf.TensorArray` and `concat` or `stack` it after the loop. It is also faster: growing
    by `concat` copies everything at each turn.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD307"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"'(\w+)' has shape (\([^)]*\)) before the loop, but shape (\([^)]*\)) after",
            meaning="`{0}` has shape {1} before the loop and {2} after one turn, but a graph loop "
            "keeps shapes",
            order="Use a `tf.TensorArray`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def squares(n):
                    result = tf.zeros([0], tf.int32)
                    for i in tf.range(n):
                        result = tf.concat([result, [i * i]], axis=0)
                    return result


                print(squares(tf.constant(4)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def squares(n):
                    result = tf.TensorArray(tf.int32, size=n)
                    for i in tf.range(n):
                        result = result.write(i, i * i)
                    return result.stack()


                print(squares(tf.constant(4)).numpy())
                """,
            raises="ValueError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for loop in graph_loops(body):
                if _has_options(body, loop):
                    continue
                for statement in (node for node in ast.walk(loop) if isinstance(node, ast.Assign)):
                    name = _grown(body, statement)
                    if name is not None and _starts_with_known_shape(body, name, loop):
                        yield self.finding_in(
                            body,
                            statement,
                            f"`{name}` grows at each turn of a TensorFlow loop, which keeps its shape",
                            fix=Fix(title="Use a `tf.TensorArray`", safety=Safety.MANUAL),
                        )


def _has_options(body: Body, loop: ast.AST) -> bool:
    return any(isinstance(node, ast.Call) and body.dotted(node.func) == OPTIONS for node in ast.walk(loop))


def _grown(body: Body, statement: ast.Assign) -> str | None:
    target, value = statement.targets[0], statement.value
    if not isinstance(target, ast.Name) or not isinstance(value, ast.Call) or not value.args:
        return None
    if body.dotted(value.func) != "tensorflow.concat" or not isinstance(value.args[0], ast.List | ast.Tuple):
        return None
    names = {part.id for part in value.args[0].elts if isinstance(part, ast.Name)}
    return target.id if target.id in names and len(value.args[0].elts) > 1 else None


def _starts_with_known_shape(body: Body, name: str, loop: ast.AST) -> bool:
    flow, found = flow_of(body.scope), body.scope.lookup(name)
    if flow is None or found is None or found[0] is not body.scope:
        return False
    inside = set(ast.walk(loop))
    bindings = [b for b in flow.reaching(loop, found[1]) if b.node not in inside]
    value = bindings[0].value if len(bindings) == 1 and bindings[0].kind == "value" else None
    if not isinstance(value, ast.Call) or not value.args or bindings[0].index is not None:
        return False
    known = not any(isinstance(node, ast.Name | ast.Call) for node in ast.walk(value.args[0]))
    return body.dotted(value.func) in MAKERS and known
