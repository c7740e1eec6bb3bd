"""GD314."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.control_flow import graph_branches, loop_around
from graphdoctor.source.loops import is_graph_loop
from graphdoctor.source.names import module_alias


class TensorBreakInPythonLoop(Rule):
    """A Python loop cannot be left when a tensor says so.

    What it finds
    `break` under an `if` on a tensor, in a `for` loop over a Python `range` or list, in a function
    that AutoGraph converts.

    Why it matters
    A Python loop is unrolled while tracing. Whether it ends early is known only when the graph runs:
    AutoGraph raises NotImplementedError.

    How to fix it
    Make it a TensorFlow loop: `for i in tf.range(n)`. The fix is not called safe: the index becomes
    a tensor, and what the loop carries must keep its shape and dtype.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD314"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"break and return statements which depend on a TF condition",
            meaning="a tensor decides when this Python loop ends, but Python writes the loop out "
            "before any value is known",
            order="Loop over `tf.range`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def grow(x):
                    for _ in range(10):
                        if tf.reduce_sum(x) > 20.0:
                            break
                        x = x * 2.0
                    return x


                print(grow(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def grow(x):
                    for _ in tf.range(10):
                        if tf.reduce_sum(x) > 20.0:
                            break
                        x = x * 2.0
                    return x


                print(grow(tf.ones([2])).numpy())
                """,
            raises="NotImplementedError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            branches = set(graph_branches(body))
            for node in body.of(ast.Break):
                loop = loop_around(body, node)
                under = any(outer in branches for outer in _between(body, node, loop))
                if isinstance(loop, ast.For) and under and _is_python(body, loop):
                    yield self.finding_in(
                        body,
                        node,
                        "a tensor decides whether this Python loop ends, which is unrolled while tracing",
                        fix=_fix(body, loop),
                    )


def _between(body: Body, node: ast.AST, loop: ast.AST | None) -> Iterator[ast.AST]:
    for outer in body.ancestors(node):
        if outer is loop:
            return
        yield outer


def _is_python(body: Body, loop: ast.For) -> bool:
    if is_graph_loop(loop, body.scope):
        return False
    iterable = loop.iter
    if isinstance(iterable, ast.Call):
        name = body.dotted(iterable.func)
        return name in ("builtins.range", "builtins.enumerate", "builtins.zip") and all(
            body.kind(argument) in (Kind.NUMBER, Kind.LIST, Kind.TUPLE) for argument in iterable.args
        )
    return body.kind(iterable) in (Kind.LIST, Kind.TUPLE)


def _fix(body: Body, loop: ast.For) -> Fix:
    tensorflow = module_alias("tensorflow", body.scope)
    iterable = loop.iter
    if (
        tensorflow is None
        or not isinstance(iterable, ast.Call)
        or body.dotted(iterable.func) != "builtins.range"
        or loop.orelse
    ):
        return Fix(title="Use a TensorFlow loop", safety=Safety.MANUAL)
    edit = body.home.replace(iterable.func, f"{tensorflow}.range")
    return Fix(title="Loop over `tf.range`", safety=Safety.UNSAFE, edits=(edit,))
