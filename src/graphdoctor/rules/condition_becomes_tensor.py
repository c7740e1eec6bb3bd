"""GD316."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.control_flow import stored_names
from graphdoctor.source.flow import flow_of
from graphdoctor.source.names import module_alias


class ConditionBecomesTensor(Rule):
    """A `while` condition that starts as a Python value cannot become a tensor.

    What it finds
    `while not done:` or `while error > 0.1:`, where the name is a Python value before the loop and becomes
    a tensor in it, in a function that AutoGraph converts.

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
                name, start = _decider(body, loop)
                if start is not None:
                    yield self.finding_in(
                        body,
                        loop.test,
                        f"`{name}` is a Python value when the loop begins, and a tensor after its first turn",
                        fix=_fix(body, start),
                    )


def _decider(body: Body, loop: ast.While) -> tuple[str, ast.expr | None]:
    """The name in the condition that turns into a tensor, and its first value; all else is Python's."""
    found: tuple[str, ast.expr | None] = "", None
    for part in _parts(loop.test):
        start = _start(body, part.id, loop) if isinstance(part, ast.Name) else None
        if isinstance(part, ast.Name) and start is not None and _becomes_tensor(body, part.id, loop):
            found = part.id, start
        elif body.kind(part) is not Kind.NUMBER:
            return "", None
    return found


def _parts(test: ast.expr) -> Iterator[ast.expr]:
    """The values that a condition is made of: `not done and steps < 9` of `done`, `steps` and 9."""
    if isinstance(test, ast.UnaryOp):
        yield from _parts(test.operand)
    elif isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _parts(value)
    elif isinstance(test, ast.Compare):
        for side in (test.left, *test.comparators):
            yield from _parts(side)
    elif isinstance(test, ast.BinOp):
        yield from _parts(test.left)
        yield from _parts(test.right)
    else:
        yield test


def _start(body: Body, name: str, loop: ast.While) -> ast.expr | None:
    flow, found = flow_of(body.scope), body.scope.lookup(name)
    if flow is None or found is None or found[0] is not body.scope:
        return None
    inside = set(ast.walk(loop))
    bindings = [b for b in flow.reaching(loop, found[1]) if b.node not in inside]
    value = bindings[0].value if len(bindings) == 1 and bindings[0].kind == "value" else None
    plain = value is not None and bindings[0].index is None
    return value if plain and body.kind(value) is Kind.NUMBER else None


def _becomes_tensor(body: Body, name: str, loop: ast.While) -> bool:
    statements = [s for s in stored_names(loop.body).get(name, []) if isinstance(s, ast.Assign)]
    return all(body.kind(s.value) is Kind.TENSOR for s in statements) and any(
        statement in loop.body for statement in statements
    )


def _fix(body: Body, start: ast.expr) -> Fix:
    tensorflow = module_alias("tensorflow", body.scope)
    value = start.value if isinstance(start, ast.Constant) else None
    if tensorflow is None or not isinstance(value, bool | float):
        return Fix(title="Start from a tensor", safety=Safety.MANUAL)
    edit = body.home.replace(start, f"{tensorflow}.constant({body.home.source_of(start)})")
    # A number must have the dtype of what it becomes, which the source does not tell.
    safety = Safety.SAFE if isinstance(value, bool) else Safety.UNSAFE
    return Fix(title="Start from a tensor", safety=safety, edits=(edit,))
