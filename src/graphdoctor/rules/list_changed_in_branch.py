"""GD339."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.control_flow import graph_branches, stored_names

CHANGERS = {"append", "extend", "insert", "add"}


class ListChangedInBranch(Rule):
    """Both branches of a tensor `if` are traced: a list that they change gets the changes of both.

    What it finds
    `items.append(…)` (or `extend`, `insert`, `add`) in a branch of an `if` on a tensor, where `items`
    is a Python list made before the `if` in the same function.

    Why it matters
    Tracing runs both branches. The list gets what either of them appends, whatever the condition is,
    and the tensors in it belong to the branches' own graphs.

    How to fix it
    Give a name a tensor in both branches, and append it after the `if`; or use `tf.where`.

    When to leave it
    Never.
    """

    id = "GD339"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def choose(x):
                    items = []
                    if tf.reduce_sum(x) > 0.0:
                        items.append(1.0)
                    else:
                        items.append(2.0)
                    return tf.stack(items)


                print(choose(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def choose(x):
                    items = []
                    if tf.reduce_sum(x) > 0.0:
                        item = 1.0
                    else:
                        item = 2.0
                    items.append(item)
                    return tf.stack(items)


                print(choose(tf.ones([2])).numpy())
                """,
            output=("[1. 2.]", "[1.]"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for branch in graph_branches(body):
                made_inside = {**stored_names(branch.body), **stored_names(branch.orelse)}
                changes = [pair for pair in _changes(body, branch) if pair[1] not in made_inside]
                for call, name in changes[:1]:
                    yield self.finding_in(
                        body,
                        call,
                        f"`{name}` is changed while both branches of an `if` on a tensor are "
                        "traced, whatever its condition",
                        fix=Fix(title="Append after the `if`", safety=Safety.MANUAL),
                    )


def _changes(body: Body, branch: ast.If) -> Iterator[tuple[ast.Call, str]]:
    for statement in (*branch.body, *branch.orelse):
        call = statement.value if isinstance(statement, ast.Expr) else None
        target = call.func if isinstance(call, ast.Call) else None
        if (
            isinstance(target, ast.Attribute)
            and target.attr in CHANGERS
            and isinstance(target.value, ast.Name)
        ):
            found = body.scope.lookup(target.value.id)
            local = found is not None and found[0] is body.scope
            if local and body.kind(target.value) is Kind.LIST and isinstance(call, ast.Call):
                yield call, target.value.id
