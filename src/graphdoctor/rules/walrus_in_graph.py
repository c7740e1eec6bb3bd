"""GD322."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.unconverted import first_decision


class WalrusInGraph(Rule):
    """AutoGraph does not convert a function with `:=`.

    What it finds
    An assignment expression in a function that is traced with AutoGraph and has an `if`, `while` or
    `for` on a tensor.

    Why it matters
    AutoGraph (2.21) does not know `:=`. It leaves the whole function as it stands, with a warning,
    and its tensor conditions raise OperatorNotAllowedInGraphError.

    How to fix it
    Assign in a statement before the condition.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD322"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def halve(x):
                    if (total := tf.reduce_sum(x)) > 1.0:
                        x = x / total
                    return x


                print(halve(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def halve(x):
                    total = tf.reduce_sum(x)
                    if total > 1.0:
                        x = x / total
                    return x


                print(halve(tf.ones([2])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for node in body.of(ast.NamedExpr):
                decision = first_decision(body)
                if decision is not None:
                    yield self.finding_in(
                        body,
                        node,
                        f"`:=` keeps AutoGraph from converting `{body.name}`, whose {decision.what} "
                        f"on line {getattr(decision.node, 'lineno', 0)} needs it",
                        fix=_fix(body, node),
                    )


def _fix(body: Body, node: ast.NamedExpr) -> Fix:
    """Assign before the `if`, when nothing that could be skipped or changed stands before it."""
    statement = next((outer for outer in body.ancestors(node) if isinstance(outer, ast.stmt)), None)
    parent = body.parents.get(node)
    first = isinstance(statement, ast.If) and (
        statement.test is node
        or (isinstance(parent, ast.Compare) and parent.left is node and statement.test is parent)
    )
    above = body.parents.get(statement) if statement is not None else None
    chained = isinstance(above, ast.If) and statement in above.orelse and len(above.orelse) == 1
    if not first or chained or statement is None:
        return Fix(title="Assign before the condition", safety=Safety.MANUAL)
    home = body.home
    line = home.lines[statement.lineno - 1]
    indent = line[: len(line) - len(line.lstrip())]
    assign = f"{indent}{node.target.id} = {home.source_of(node.value)}\n"
    return Fix(
        title="Assign before the condition",
        safety=Safety.SAFE,
        edits=(home.insert(statement.lineno, 1, assign), home.replace_in_parentheses(node, node.target.id)),
    )
