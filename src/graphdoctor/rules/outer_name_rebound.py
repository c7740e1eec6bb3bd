"""GD203."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.side_effects import confirmed
from graphdoctor.source import Module
from graphdoctor.source.bodies import Body


class OuterNameRebound(Rule):
    """A `global` or `nonlocal` name that a traced function assigns changes once per trace, not per call.

    What it finds
    An assignment to a name declared `global` or `nonlocal` in a function that TensorFlow traces.

    Why it matters
    The assignment is Python; it runs while the function is traced. The graph that runs afterwards
    knows nothing of it: a counter stays at 1, and a tensor kept in this way belongs to a graph
    that is finished.

    How to fix it
    Keep the state in a `tf.Variable` and `assign` to it, or return the new value.

    When to leave it
    When the name counts traces on purpose.
    """

    id = "GD203"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                steps = 0


                @tf.function
                def train(x):
                    global steps
                    steps += 1
                    return x * 2.0


                for _ in range(3):
                    train(tf.ones([2]))
                print(steps)
                """,
            good="""
                import tensorflow as tf

                steps = tf.Variable(0)


                @tf.function
                def train(x):
                    steps.assign_add(1)
                    return x * 2.0


                for _ in range(3):
                    train(tf.ones([2]))
                print(steps.numpy())
                """,
            output=("1", "3"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            declared = {name for node in body.of(ast.Global) for name in node.names}
            declared |= {name for node in body.of(ast.Nonlocal) for name in node.names}
            for name, statement in _assignments(body, declared):
                if "trac" not in name.lower():
                    yield self.finding_in(
                        body,
                        statement,
                        f"`{name}` is assigned only while `{body.name}` is traced, not at each call",
                        fix=Fix(title="Keep it in a `tf.Variable`", safety=Safety.MANUAL),
                    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from confirmed(self, facts, "the assignment")


def _assignments(body: Body, declared: set[str]) -> Iterator[tuple[str, ast.stmt]]:
    for node in body.of(ast.Name):
        if (
            isinstance(node.ctx, ast.Store)
            and node.id in declared
            and _is_rebound_outside_of_trace(body, node)
        ):
            statement = next((n for n in body.ancestors(node) if isinstance(n, ast.stmt)), None)
            if statement is not None and not _happens_once(body, node.id, statement):
                yield node.id, statement


def _happens_once(body: Body, name: str, statement: ast.stmt) -> bool:
    """A flag that is set to a constant, or what is made when it is not yet there: once is enough."""
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
        return True
    conditions = [outer.test for outer in body.ancestors(statement) if isinstance(outer, ast.If)]
    return any(
        isinstance(part, ast.Name) and part.id == name for test in conditions for part in ast.walk(test)
    )


def _is_rebound_outside_of_trace(body: Body, node: ast.Name) -> bool:
    """False for a `nonlocal` of a function that is itself traced: both run in the same trace."""
    if any(node.id in declaration.names for declaration in body.of(ast.Global)):
        return True
    found = body.scope.parent.lookup(node.id) if body.scope.parent else None
    return found is not None and found[0].node not in body.home.context.bodies
