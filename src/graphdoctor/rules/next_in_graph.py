"""GD210."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.functions import resolve_function
from graphdoctor.source.kinds import kind_of
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope


class NextInGraph(Rule):
    """`next` on a Python iterator takes one element while tracing, and that one stays.

    What it finds
    `next(iterator)` in a traced function, where the iterator comes from outside it and is known to
    be Python's: `iter` of a list, an `itertools` object, or a generator.

    Why it matters
    The element is taken while the function is traced and becomes a constant of the graph. Each call
    computes with the same element.

    How to fix it
    Pass the element as an argument, or iterate over a `tf.data.Dataset`: `next(iter(dataset))`
    works in a graph.

    When to leave it
    When one element per trace is meant.
    """

    id = "GD210"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                numbers = iter([1.0, 2.0, 3.0])


                @tf.function
                def add(x):
                    return x + next(numbers)


                for _ in range(3):
                    print(add(tf.constant(0.0)).numpy())
                """,
            good="""
                import tensorflow as tf

                numbers = iter(tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]))


                @tf.function
                def add(x):
                    return x + next(numbers)


                for _ in range(3):
                    print(add(tf.constant(0.0)).numpy())
                """,
            output=("1.0\n1.0\n1.0", "1.0\n2.0\n3.0"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for call in body.of(ast.Call):
                if body.dotted(call.func) == "builtins.next" and call.args and _is_python(body, call.args[0]):
                    name = body.home.source_of(call.args[0])
                    yield self.finding_in(
                        body,
                        call,
                        f"`next({name})` takes one element while `{body.name}` is traced, and each call "
                        "uses it",
                        fix=Fix(title="Pass it as an argument", safety=Safety.MANUAL),
                    )


def _is_python(body: Body, node: ast.expr) -> bool:
    found = body.scope_of(node).lookup(node.id) if isinstance(node, ast.Name) else None
    if found is None or len(found[1]) != 1 or found[0].within(body.scope):
        return False
    value = found[1][0].value
    return isinstance(value, ast.GeneratorExp) or (
        isinstance(value, ast.Call) and _makes_iterator(value, found[0])
    )


def _makes_iterator(call: ast.Call, scope: Scope) -> bool:
    name = dotted_name(call.func, scope) or ""
    if name == "builtins.iter":
        return bool(call.args) and kind_of(call.args[0], scope) in (Kind.LIST, Kind.TUPLE, Kind.DICT)
    if name.startswith("itertools."):
        return True
    function = resolve_function(call.func, scope)
    return function is not None and any(
        isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function.node)
    )
