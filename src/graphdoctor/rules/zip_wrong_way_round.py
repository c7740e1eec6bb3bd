"""GD510."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope
from graphdoctor.source.tapes import Tape, find_tapes


class ZipWrongWayRound(Rule):
    """`apply_gradients` takes pairs of gradient and variable, in this order.

    What it finds
    `optimizer.apply_gradients(zip(variables, gradients))`, where the second list comes from
    `tape.gradient`.

    Why it matters
    The optimizer takes the gradients for variables and raises an error that speaks of something else.

    How to fix it
    `zip(gradients, variables)`.

    When to leave it
    Never.
    """

    id = "GD510"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"Tensor' object has no attribute '_unique_id'",
            meaning="the optimizer was given tensors where it takes variables: pairs are (gradient, "
            "variable)",
            order="Swap the two",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                w = tf.Variable([1.0, 2.0])
                optimizer = tf.keras.optimizers.SGD(0.5)
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(w * w)
                gradients = tape.gradient(loss, [w])
                optimizer.apply_gradients(zip([w], gradients))
                print(w.numpy())
                """,
            good="""
                import tensorflow as tf

                w = tf.Variable([1.0, 2.0])
                optimizer = tf.keras.optimizers.SGD(0.5)
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(w * w)
                gradients = tape.gradient(loss, [w])
                optimizer.apply_gradients(zip(gradients, [w]))
                print(w.numpy())
                """,
            raises="AttributeError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        tapes = find_tapes(module)
        for placed in module.walk.calls if tapes else ():
            call = placed.node
            pairs = _pairs(call, placed.scope)
            if pairs is None or not _from_tape(pairs.args[1], placed.scope, tapes):
                continue
            if _from_tape(pairs.args[0], placed.scope, tapes):
                continue
            first, second = (module.source_of(argument) for argument in pairs.args)
            traced = module.traced_around(placed.scope)
            yield self.finding(
                module.span(pairs),
                f"`apply_gradients` takes (gradient, variable), but `{second}` are the gradients",
                traced.function.ref if traced else None,
                fix=Fix(
                    title="Swap the two",
                    safety=Safety.SAFE,
                    edits=(module.replace(pairs.args[0], second), module.replace(pairs.args[1], first)),
                ),
            )


def _pairs(call: ast.AST, scope: Scope) -> ast.Call | None:
    """The `zip(a, b)` that is given to `apply_gradients`."""
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or not call.args:
        return None
    pairs = call.args[0]
    if call.func.attr != "apply_gradients" or not isinstance(pairs, ast.Call) or len(pairs.args) != 2:
        return None
    return pairs if dotted_name(pairs.func, scope) == "builtins.zip" else None


def _from_tape(node: ast.expr, scope: Scope, tapes: list[Tape]) -> bool:
    """Whether a name holds what a tape answered, and nothing else."""
    if not isinstance(node, ast.Name):
        return False
    found = scope.lookup(node.id)
    asked = {id(question.node) for tape in tapes for question in tape.questions}
    return found is not None and all(id(binding.value) in asked for binding in found[1])
