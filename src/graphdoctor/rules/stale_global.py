"""GD214."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body, related
from graphdoctor.source.kinds import kind_of
from graphdoctor.source.scopes import Binding


class StaleGlobal(Rule):
    """A global number that changes after the first call keeps its first value in the graph.

    What it finds
    A global number or string that a traced function reads, and that the same file assigns again: at
    the top of the module between two calls of the function, or in a function that declares it `global`.

    Why it matters
    Python values are read while tracing and become constants of the graph. Later assignments change
    nothing: the learning rate that was lowered still has its first value.

    How to fix it
    Make it a `tf.Variable` and `assign` to it, or pass it as an argument.

    When to leave it
    When it changes only before the first call.
    """

    id = "GD214"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                rate = 1.0


                @tf.function
                def scale(x):
                    return x * rate


                print(scale(tf.constant(1.0)).numpy())
                rate = 0.5
                print(scale(tf.constant(1.0)).numpy())
                """,
            good="""
                import tensorflow as tf

                rate = tf.Variable(1.0)


                @tf.function
                def scale(x):
                    return x * rate


                print(scale(tf.constant(1.0)).numpy())
                rate.assign(0.5)
                print(scale(tf.constant(1.0)).numpy())
                """,
            output=("1.0\n1.0", "1.0\n0.5"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            if body.home is not module:
                continue
            for name, uses in body.loads.items():
                found = body.scope.lookup(name)
                if found is None or found[0] is not module.walk.root or len(found[1]) < 2:
                    continue
                change = _later_change(module, body, found[1])
                if change is not None:
                    yield self.finding_in(
                        body,
                        uses[0],
                        f"`{name}` is read while `{body.name}` is traced; its later value is not seen",
                        related=(related(module.span(change), f"`{name}` is assigned again here"),),
                        fix=Fix(title="Make it a `tf.Variable`", safety=Safety.MANUAL),
                    )


def _later_change(module: Module, body: Body, bindings: list[Binding]) -> ast.AST | None:
    """The assignment that comes after a call of the function and before another."""
    first, *others = bindings
    if first.kind != "value" or first.index is not None:
        return None
    if kind_of(first.value, module.walk.root) not in (Kind.NUMBER, Kind.TEXT):
        return None
    calls = [
        call.node.lineno
        for call in module.calls
        if call.function.node is body.function.node and call.scope.function is None
    ]
    for binding in others:
        if isinstance(binding.node, ast.Global):
            if module.scope_at(binding.node).node not in module.context.bodies and len(calls) > 1:
                return _assignment(module, binding)
            continue
        line = getattr(binding.node, "lineno", 0)
        if any(call < line for call in calls) and any(call > line for call in calls):
            return binding.node
    return None


def _assignment(module: Module, binding: Binding) -> ast.AST | None:
    """Where a function that declares a name `global` assigns it."""
    scope = module.scope_at(binding.node)
    own = scope.bindings.get(binding.name, [])
    return own[0].node if own else None
