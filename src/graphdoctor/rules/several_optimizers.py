"""GD403."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Module
from graphdoctor.source.calls import Call
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

APPLYING = {"apply", "apply_gradients", "minimize"}


class SeveralOptimizers(Rule):
    """A graph function that was traced with one optimizer refuses the next one.

    What it finds
    A `tf.function` that applies gradients with an optimizer given as an argument, and calls of it with
    two optimizers that were not built before. From a run: the error itself.

    Why it matters
    An optimizer makes its variables when it is first used. A graph function may create variables on
    its first call only: ValueError "tf.function only supports singleton tf.Variables".

    How to fix it
    `optimizer.build(model.trainable_variables)` before the first step, or one graph function for
    each optimizer.

    When to leave it
    Never: the first step with the second optimizer raises.
    """

    id = "GD403"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"only supports singleton tf\.Variables|Creating variables on a non-first call",
            meaning="a second optimizer creates its variables here; a graph function may create "
            "variables once only",
            order="Build the optimizer first",
            through="optimizers/",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                weight = tf.Variable(1.0)


                @tf.function
                def step(optimizer):
                    with tf.GradientTape() as tape:
                        loss = weight * weight
                    optimizer.apply_gradients(zip(tape.gradient(loss, [weight]), [weight]))


                slow = tf.keras.optimizers.SGD(0.01, momentum=0.9)
                fast = tf.keras.optimizers.SGD(0.1, momentum=0.9)
                step(slow)
                step(fast)
                print(weight.numpy() < 1.0)
                """,
            good="""
                import tensorflow as tf

                weight = tf.Variable(1.0)


                @tf.function
                def step(optimizer):
                    with tf.GradientTape() as tape:
                        loss = weight * weight
                    optimizer.apply_gradients(zip(tape.gradient(loss, [weight]), [weight]))


                slow = tf.keras.optimizers.SGD(0.01, momentum=0.9)
                fast = tf.keras.optimizers.SGD(0.1, momentum=0.9)
                slow.build([weight])
                fast.build([weight])
                step(slow)
                step(fast)
                print(weight.numpy() < 1.0)
                """,
            raises="ValueError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        given: dict[tuple[ast.AST, str], str] = {}
        for call, traced in module.calls_of_traced:
            for parameter in _optimizers(traced.function.node) & call.arguments.keys():
                name = _unbuilt(call, parameter)
                if name is None:
                    continue
                first = given.setdefault((traced.function.node, parameter), name)
                if first != name:
                    yield self.finding(
                        module.span(call.arguments[parameter]),
                        f"`{traced.function.name}` was traced with the optimizer `{first}`, and cannot make "
                        f"the variables of `{name}`",
                        traced.function.ref,
                        fix=Fix(title="Build the optimizers first", safety=Safety.MANUAL),
                    )


def _optimizers(function: ast.AST) -> set[str]:
    """The names on which a function calls `apply_gradients` or its like."""
    return {
        node.func.value.id
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in APPLYING
        and isinstance(node.func.value, ast.Name)
    }


def _unbuilt(call: Call, parameter: str) -> str | None:
    """The name of an optimizer that is made here and never built."""
    given = call.arguments[parameter]
    home = call.scope.home
    if not isinstance(given, ast.Name) or home is None or f"{given.id}.build(" in home.text:
        return None
    return given.id if _is_optimizer(given.id, call.scope) else None


def _is_optimizer(name: str, scope: Scope) -> bool:
    found = scope.lookup(name)
    if found is None or len(found[1]) != 1:
        return False
    made, index = found[1][0].value, found[1][0].index
    if isinstance(made, ast.Tuple) and index is not None and index < len(made.elts):
        made = made.elts[index]
    if not isinstance(made, ast.Call):
        return False
    return (dotted_name(made.func, found[0]) or "").startswith("keras.optimizers.")
