"""GD214."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Stale
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.stale import stale_captures, stale_finding
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body, related
from graphdoctor.source.kinds import kind_of
from graphdoctor.source.scopes import Binding


class CapturedValueChanged(Rule):
    """A global or closure variable changed after the trace that read it, and calls still use the old value.

    What it finds
    From the source: a global number or string that a traced function reads, and that the same file
    assigns again between two calls of it. In a run: a number, text, bool, None or small tuple that a
    traced function, or a function it calls, reads from its module or its closure; that changed after the
    trace; and calls that ran the old graph afterwards. After a function's first thousand calls one in
    sixteen is looked at; `run --calls` looks at all, also nested ones, and tells traces apart.

    Why it matters
    The value is read once, while tracing, and becomes a constant of the graph. It is no argument, so
    TensorFlow does not know that it changed: the program goes on with the old one and says nothing.

    How to fix it
    Pass what changes as an argument (as a tensor, or each new value traces again), or keep it in a
    `tf.Variable` and `assign` to it.

    When to leave it
    When the old value is meant: then keep it in a name of its own that nobody assigns to again.
    """

    id = "GD214"
    severity = Severity.WRONG
    settled_by = (Stale,)
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
                        argument=name,
                        fix=Fix(title="Make it a `tf.Variable`", safety=Safety.MANUAL),
                    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for event in stale_captures(facts, ("global", "cell")):
            yield stale_finding(self, facts, event, f"Pass `{event.state.name}` as an argument")


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
