"""GD406."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

INPUTS = {"keras.Input", "keras.layers.Input"}


class KerasInputToGraph(Rule):
    """The placeholder of a functional Keras model cannot be passed to a `tf.function`.

    What it finds
    A call of a function decorated with `tf.function` that passes what `keras.Input(…)` returned, in
    a project known to use Keras 3.

    Why it matters
    A KerasTensor only stands for a shape and a dtype; it has no value and is no symbolic tensor of
    TensorFlow. Keras 3 raises ValueError.

    How to fix it
    Call the graph function inside a layer, or use Keras operations (`keras.ops`).

    When to leave it
    Never: it raises when the model is built.
    """

    id = "GD406"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import keras
                import tensorflow as tf
                from keras import ops


                @tf.function
                def double(x):
                    return ops.multiply(x, 2.0)


                inputs = keras.Input([3])
                model = keras.Model(inputs, double(inputs))
                """,
            good="""
                import keras
                import tensorflow as tf
                from keras import ops


                def double(x):
                    return ops.multiply(x, 2.0)


                inputs = keras.Input([3])
                model = keras.Model(inputs, double(inputs))
                """,
            raises="ValueError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        if module.keras_generation != 3:
            return
        for call, traced in module.calls_of_traced:
            if traced.decorator is None:
                continue
            for parameter, expression in call.arguments.items():
                if _is_input(expression, call.scope):
                    yield self.finding(
                        module.span(expression),
                        f"`{module.source_of(expression)}` is a placeholder of Keras, which "
                        f"`{call.function.ref.name}` cannot take",
                        call.function.ref,
                        argument=parameter,
                        fix=Fix(title="Call it inside a layer", safety=Safety.MANUAL),
                    )


def _is_input(node: ast.expr, scope: Scope) -> bool:
    if isinstance(node, ast.Name):
        found = scope.lookup(node.id)
        if (
            found is None
            or len(found[1]) != 1
            or found[1][0].kind != "value"
            or found[1][0].index is not None
        ):
            return False
        value, scope = found[1][0].value, found[0]
        return isinstance(value, ast.Call) and dotted_name(value.func, scope) in INPUTS
    return isinstance(node, ast.Call) and dotted_name(node.func, scope) in INPUTS
