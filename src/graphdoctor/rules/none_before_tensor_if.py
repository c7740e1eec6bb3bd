"""GD302."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.control_flow import graph_branches, is_read_after, leaves, stored_names
from graphdoctor.source.flow import flow_of


class NoneBeforeTensorIf(Rule):
    """A tensor `if` cannot choose between None and a tensor.

    What it finds
    A name that is None before an `if` on a tensor, gets a tensor in one branch and is left alone in
    the other (or set to None there), and is read after it.

    Why it matters
    Both branches are traced into one operation with one result; None is not a tensor. TensorFlow
    raises ValueError: "must not be None at the end of the … branch".

    How to fix it
    Start from a tensor of the same dtype and shape, such as `tf.zeros_like(x)`, and keep a flag.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD302"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"'(\w+)' is None at the end of the (\w+) branch",
            meaning="`{0}` is None at the end of the {1} branch, and a graph has no None",
            order="Start with a tensor",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def mask(x):
                    result = None
                    if tf.reduce_sum(x) > 1.0:
                        result = x / 2.0
                    return result


                print(mask(tf.ones([2])))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def mask(x):
                    result = tf.zeros_like(x)
                    if tf.reduce_sum(x) > 1.0:
                        result = x / 2.0
                    return result


                print(mask(tf.ones([2])))
                """,
            raises="ValueError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for branch in graph_branches(body):
                if leaves(branch.body) or leaves(branch.orelse):
                    continue
                for name, statement in _tensor_or_none(body, branch):
                    if is_read_after(body, name, branch):
                        yield self.finding_in(
                            body,
                            statement,
                            f"`{name}` is a tensor in one branch of an `if` on a tensor, and None in "
                            "the other",
                            fix=Fix(title="Start from a tensor", safety=Safety.MANUAL),
                        )


def _tensor_or_none(body: Body, branch: ast.If) -> Iterator[tuple[str, ast.stmt]]:
    first, second = stored_names(branch.body), stored_names(branch.orelse)
    for name in sorted(first.keys() | second.keys()):
        here, there = first.get(name, []), second.get(name, [])
        kinds = {_kind_set(body, here), _kind_set(body, there)}
        if None in kinds and _is_none_before(body, name, branch):
            kinds = (kinds - {None}) | {Kind.NONE}
        if kinds == {Kind.TENSOR, Kind.NONE}:
            setting = here if _kind_set(body, here) is Kind.TENSOR else there
            yield name, setting[-1]


def _kind_set(body: Body, statements: list[ast.stmt]) -> Kind | None:
    """The kind that a branch gives a name; None when it leaves it alone, UNKNOWN when not plain."""
    if not statements:
        return None
    last = statements[-1]
    plain = isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name)
    return body.kind(last.value) if isinstance(last, ast.Assign) and plain else Kind.UNKNOWN


def _is_none_before(body: Body, name: str, branch: ast.If) -> bool:
    flow = flow_of(body.scope)
    found = body.scope.lookup(name)
    if flow is None or found is None or found[0] is not body.scope or flow.loops.get(branch):
        return False
    values = [b.value for b in flow.reaching(branch, found[1]) if b.kind == "value" and b.index is None]
    bindings = flow.reaching(branch, found[1])
    return len(values) == len(bindings) > 0 and all(
        isinstance(value, ast.Constant) and value.value is None for value in values
    )
