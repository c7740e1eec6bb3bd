"""GD304."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Edit, Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.control_flow import graph_branches, is_read_after, leaves, stored_names
from graphdoctor.source.flow import flow_of
from graphdoctor.source.literals import is_number_literal, tensor_dtype


class BranchDtypesDiffer(Rule):
    """The two branches of a tensor `if` must give a name the same dtype.

    What it finds
    A name that gets another dtype in each branch of an `if` on a tensor (or in one branch and before
    it), such as `1` and `0.5`, and is read after it.

    Why it matters
    Both branches are traced into one operation, whose result has one dtype. TensorFlow raises
    TypeError: "must have the same dtype". In eager mode nothing is said.

    How to fix it
    Write the number as a float (`1.0`), or cast one of them.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD304"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"'(\w+)' has dtype (\w+) in the main branch, but dtype (\w+) in the else",
            meaning="`{0}` is {1} in one branch and {2} in the other",
            order="Give both one dtype",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def weight(x):
                    if tf.reduce_sum(x) > 0.0:
                        factor = 1
                    else:
                        factor = 0.5
                    return x * factor


                print(weight(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def weight(x):
                    if tf.reduce_sum(x) > 0.0:
                        factor = 1.0
                    else:
                        factor = 0.5
                    return x * factor


                print(weight(tf.ones([2])).numpy())
                """,
            raises="TypeError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for branch in graph_branches(body):
                if leaves(branch.body) or leaves(branch.orelse):
                    continue
                for name in sorted(stored_names(branch.body).keys() | stored_names(branch.orelse).keys()):
                    pair = _values(body, name, branch)
                    dtypes = [tensor_dtype(body, value) for value in pair]
                    if len(set(dtypes)) == 2 and None not in dtypes and is_read_after(body, name, branch):
                        yield self.finding_in(
                            body,
                            pair[0],
                            f"`{name}` is {dtypes[0]} on one way through an `if` on a tensor, "
                            f"and {dtypes[1]} on the other",
                            fix=_fix(body, pair, dtypes),
                        )


def _values(body: Body, name: str, branch: ast.If) -> list[ast.expr]:
    """The two values that a name can have after the `if`; empty when they are not plain."""
    values = [_last_value(name, arm) for arm in (branch.body, branch.orelse)]
    before = _value_before(body, name, branch)
    pair = [before if value is None else value for value in values]
    return [value for value in pair if isinstance(value, ast.expr)] if None not in pair else []


def _last_value(name: str, arm: list[ast.stmt]) -> ast.expr | ast.stmt | None:
    statements = stored_names(arm).get(name, [])
    if not statements:
        return None
    only = statements[0]
    plain = len(statements) == 1 and isinstance(only, ast.Assign) and isinstance(only.targets[0], ast.Name)
    return only.value if isinstance(only, ast.Assign) and plain and only in arm else only


def _value_before(body: Body, name: str, branch: ast.If) -> ast.expr | None:
    flow, found = flow_of(body.scope), body.scope.lookup(name)
    if flow is None or found is None or found[0] is not body.scope:
        return None
    bindings = flow.reaching(branch, found[1])
    plain = len(bindings) == 1 and bindings[0].kind == "value" and bindings[0].index is None
    return bindings[0].value if plain and not flow.loops.get(branch) else None


def _fix(body: Body, pair: list[ast.expr], dtypes: list[str | None]) -> Fix:
    """Write an integer literal as a float; the result in eager mode stays the same number."""
    if set(dtypes) == {"int32", "float32"}:
        whole = pair[dtypes.index("int32")]
        if is_number_literal(whole):
            edit: Edit = body.home.replace(whole, f"{body.home.source_of(whole)}.0")
            return Fix(title="Write the number as a float", safety=Safety.SAFE, edits=(edit,))
    return Fix(title="Give both the same dtype", safety=Safety.MANUAL)
