"""GD306."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.control_flow import graph_loops, stored_names
from graphdoctor.source.flow import flow_of
from graphdoctor.source.literals import tensor_dtype


class LoopDtypeChanges(Rule):
    """A name carried through a TensorFlow loop must keep its dtype.

    What it finds
    A name that starts as an integer literal before a loop over a tensor (or `tf.range`, or a dataset)
    and gets a floating-point tensor added to it in the loop: `total = 0`, then `total += loss`.

    Why it matters
    The loop becomes one operation. `0` becomes an int32 tensor, and adding a float32 tensor to it
    raises TypeError. In eager mode Python takes the 0 for whatever is needed.

    How to fix it
    Start from a float: `total = 0.0`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD306"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"'(\w+)' has dtype (\w+) before the loop, but dtype (\w+) after",
            meaning="`{0}` is {1} before the loop and {2} after one turn",
            order="Start with the right dtype",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def total(n):
                    result = 0
                    for i in tf.range(n):
                        result += tf.cast(i, tf.float32)
                    return result


                print(total(tf.constant(4)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def total(n):
                    result = 0.0
                    for i in tf.range(n):
                        result += tf.cast(i, tf.float32)
                    return result


                print(total(tf.constant(4)).numpy())
                """,
            raises="TypeError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for loop in graph_loops(body):
                for name, statements in stored_names(loop.body).items():
                    start = _start(body, name, loop)
                    if start is None or not any(_adds_float(body, name, s) for s in statements):
                        continue
                    yield self.finding_in(
                        body,
                        start,
                        f"`{name}` starts as an integer and becomes float32 in a TensorFlow loop",
                        fix=Fix(
                            title="Start from a float",
                            safety=Safety.SAFE,
                            edits=(body.home.replace(start, f"{body.home.source_of(start)}.0"),),
                        ),
                    )


def _start(body: Body, name: str, loop: ast.For | ast.While) -> ast.expr | None:
    """The integer literal that a name has when the loop begins."""
    flow, found = flow_of(body.scope), body.scope.lookup(name)
    if flow is None or found is None or found[0] is not body.scope:
        return None
    inside = set(ast.walk(loop))
    bindings = [b for b in flow.reaching(loop, found[1]) if b.node not in inside]
    value = bindings[0].value if len(bindings) == 1 and bindings[0].kind == "value" else None
    whole = isinstance(value, ast.Constant) and type(value.value) is int and bindings[0].index is None
    return value if whole else None


def _adds_float(body: Body, name: str, statement: ast.stmt) -> bool:
    if isinstance(statement, ast.AugAssign):
        added: ast.expr | None = statement.value
    elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.BinOp):
        sides = (statement.value.left, statement.value.right)
        other = [side for side in sides if not (isinstance(side, ast.Name) and side.id == name)]
        added = other[0] if len(other) == 1 else None
    else:
        return False
    if added is None or body.kind(added) is not Kind.TENSOR:
        return False
    return tensor_dtype(body, added) == "float32"
