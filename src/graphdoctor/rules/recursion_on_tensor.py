"""GD408."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.control_flow import graph_branches
from graphdoctor.source.functions import resolve_function


class RecursionOnTensor(Rule):
    """A recursion that a tensor ends never ends while tracing.

    What it finds
    A function that calls itself under an `if` on a tensor, in code that AutoGraph converts.

    Why it matters
    Both branches of the `if` are traced, so that the call inside is traced again, and again: Python's
    recursion limit ends it with an error.

    How to fix it
    Write it as a loop: `while n > 0:` on a tensor becomes a TensorFlow loop.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD408"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
                def factorial(n):
                    if n > 1:
                        return n * factorial(n - 1)
                    return 1


                print(factorial(tf.constant(4)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
                def factorial(n):
                    result = 1
                    while n > 1:
                        result = result * n
                        n = n - 1
                    return result


                print(factorial(tf.constant(4)).numpy())
                """,
            raises="StagingError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            branches = set(graph_branches(body))
            for call in body.of(ast.Call) if branches else ():
                if (
                    _calls_itself(body, call)
                    and _is_decided(body, call, branches)
                    and not _may_end_in_python(body, call, branches)
                ):
                    yield self.finding_in(
                        body,
                        call,
                        f"`{body.name}` calls itself under an `if` on a tensor, and both ways are traced",
                        fix=Fix(title="Write it as a loop", safety=Safety.MANUAL),
                    )


def _is_decided(body: Body, call: ast.Call, branches: set[ast.If]) -> bool:
    """Whether it stands in a branch, or after one that returns, which AutoGraph makes the other branch."""
    inner: ast.AST = call
    for outer in body.ancestors(call):
        if outer in branches:
            return True
        for block in (getattr(outer, "body", None), getattr(outer, "orelse", None)):
            before = block[: block.index(inner)] if isinstance(block, list) and inner in block else []
            if any(statement in branches and _returns(statement) for statement in before):
                return True
        inner = outer
    return False


def _may_end_in_python(body: Body, call: ast.Call, branches: set[ast.If]) -> bool:
    """Whether a Python `if` may keep it from going on: `if depth == 0: return x`."""
    around = set(body.ancestors(call))
    return any(
        other in around or any(isinstance(node, ast.Return) for node in ast.walk(other))
        for other in (*body.of(ast.If), *body.of(ast.IfExp))
        if other not in branches
    )


def _returns(branch: ast.If) -> bool:
    return any(isinstance(arm[-1], ast.Return) for arm in (branch.body, branch.orelse) if arm)


def _calls_itself(body: Body, call: ast.Call) -> bool:
    function = resolve_function(call.func, body.scope_of(call))
    return function is not None and function.node is body.function.node
