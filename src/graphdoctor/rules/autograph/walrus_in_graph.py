"""GD322."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rewriting.bodies import Body
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import blocking, body_at, first_decisions, function_at, span_at

MANUAL = Fix(title="Assign before the condition", safety=Safety.MANUAL)


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
    reasons = ("walrus",)
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

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in first_decisions(facts, "walrus"):
            found = body_at(facts, event.blocked_by)
            yield self.finding(
                span_at(facts, event, event.blocked_by),
                blocking(event, "`:=`"),
                function_at(event),
                event=event,
                fix=_fix(*found) if found and isinstance(found[1], ast.NamedExpr) else MANUAL,  # type: ignore[arg-type]
            )


def _fix(body: Body, node: ast.NamedExpr) -> Fix:
    """Assign before the condition, when nothing that could be skipped or changed stands before it."""
    statement = next((outer for outer in body.ancestors(node) if isinstance(outer, ast.stmt)), None)
    parent = body.parents.get(node)
    if not isinstance(statement, ast.If | ast.While) or node.lineno != node.end_lineno:
        return MANUAL
    compared = isinstance(parent, ast.Compare) and parent.left is node and statement.test is parent
    if not compared and statement.test is not node:
        return MANUAL
    home = body.home
    line = home.lines[statement.lineno - 1]
    before = line[: statement.col_offset]
    if before.strip() or line[statement.col_offset :].startswith("elif"):
        return MANUAL
    assign = f"{node.target.id} = {home.source_of(node.value)}\n"
    edits = [
        home.insert(statement.lineno, 1, before + assign),
        home.replace_in_parentheses(node, node.target.id),
    ]
    if isinstance(statement, ast.While):
        last = statement.body[-1]
        again = last.end_lineno or last.lineno
        indent = home.lines[statement.body[0].lineno - 1][: statement.body[0].col_offset]
        if not _reaches_its_end(statement) or indent.strip() or again >= len(home.lines):
            return MANUAL
        edits.append(home.insert_after(again, indent + assign))
    return Fix(title="Assign before the condition", safety=Safety.SAFE, edits=tuple(edits))


def _reaches_its_end(loop: ast.While) -> bool:
    """Whether each turn that is followed by another one comes to the last line of the body."""
    inner = [node for statement in loop.body for node in ast.walk(statement)]
    return not loop.orelse and not any(isinstance(node, ast.Continue) for node in inner)
