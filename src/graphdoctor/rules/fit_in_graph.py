"""GD407."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module

METHODS = {"fit", "predict", "evaluate", "train_on_batch", "test_on_batch", "predict_on_batch"}


class FitInGraph(Rule):
    """`fit`, `predict` and `evaluate` are loops of Keras's own and cannot run inside a graph.

    What it finds
    `model.predict(…)`, `model.fit(…)`, `model.evaluate(…)` or one of the `…_on_batch` methods of a
    Keras model in a traced function.

    Why it matters
    They make graphs and iterate over batches in Python, and return NumPy arrays. Inside a graph they
    raise.

    How to fix it
    Call the model: `model(x, training=False)`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD407"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import keras
                import tensorflow as tf

                model = keras.Sequential([keras.layers.Dense(2, kernel_initializer="ones")])
                model.build([None, 2])


                @tf.function
                def score(x):
                    return tf.reduce_sum(model.predict(x))


                print(score(tf.ones([1, 2])).numpy())
                """,
            good="""
                import keras
                import tensorflow as tf

                model = keras.Sequential([keras.layers.Dense(2, kernel_initializer="ones")])
                model.build([None, 2])


                @tf.function
                def score(x):
                    return tf.reduce_sum(model(x))


                print(score(tf.ones([1, 2])).numpy())
                """,
            raises="AttributeError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for call in body.of(ast.Call):
                target = call.func
                if not isinstance(target, ast.Attribute) or target.attr not in METHODS:
                    continue
                if body.kind(target.value) is Kind.LAYER and not body.is_guarded(call):
                    yield self.finding_in(
                        body,
                        call,
                        f"`{target.attr}` iterates in Python and cannot run inside a graph",
                        fix=Fix(title="Call the model", safety=Safety.MANUAL),
                    )
