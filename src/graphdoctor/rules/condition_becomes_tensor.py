"""GD316."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Edit, Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.control_flow import stored_names
from graphdoctor.source.flow import flow_of
from graphdoctor.source.names import module_alias


class ConditionBecomesTensor(Rule):
    """A `while` condition that starts as a Python value cannot become a tensor.

    What it finds
    `while not done:` where `done` is a Python literal before the loop and becomes a tensor in it, in
    a function that AutoGraph converts.

    Why it matters
    What the condition is at the beginning decides which kind of loop it becomes. A Python loop is
    unrolled, and when its condition turns into a tensor AutoGraph raises NotImplementedError.

    How to fix it
    Start from a tensor: `done = tf.constant(False)`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD316"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def double(x):
                    done = False
                    while not done:
                        x = x * 2.0
                        done = tf.reduce_sum(x) > 20.0
                    return x


                print(double(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def double(x):
                    done = tf.constant(False)
                    while not done:
                        x = x * 2.0
                        done = tf.reduce_sum(x) > 20.0
                    return x


                print(double(tf.ones([2])).numpy())
                """,
            raises="NotImplementedError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for loop in body.of(ast.While) if body.converted else ():
                name = _name_tested(loop.test)
                start = _start(body, name, loop) if name else None
                if start is not None and _becomes_tensor(body, name or "", loop):
                    yield self.finding_in(
                        body,
                        loop.test,
                        f"`{name}` is a Python value when the loop begins, and a tensor after its first turn",
                        fix=_fix(body, start),
                    )


def _name_tested(test: ast.expr) -> str | None:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    return test.id if isinstance(test, ast.Name) else None


def _start(body: Body, name: str, loop: ast.While) -> ast.Constant | None:
    flow, found = flow_of(body.scope), body.scope.lookup(name)
    if flow is None or found is None or found[0] is not body.scope:
        return None
    inside = set(ast.walk(loop))
    bindings = [b for b in flow.reaching(loop, found[1]) if b.node not in inside]
    value = bindings[0].value if len(bindings) == 1 and bindings[0].kind == "value" else None
    return value if isinstance(value, ast.Constant) and isinstance(value.value, bool) else None


def _becomes_tensor(body: Body, name: str, loop: ast.While) -> bool:
    statements = [s for s in stored_names(loop.body).get(name, []) if isinstance(s, ast.Assign)]
    return bool(statements) and all(body.kind(s.value) is Kind.TENSOR for s in statements)


def _fix(body: Body, start: ast.Constant) -> Fix | None:
    tensorflow = module_alias("tensorflow", body.scope)
    if tensorflow is None:
        return None
    edit: Edit = body.home.replace(start, f"{tensorflow}.constant({bool(start.value)})")
    return Fix(title="Start from a tensor", safety=Safety.SAFE, edits=(edit,))
