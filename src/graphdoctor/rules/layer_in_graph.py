"""GD402."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.variable_in_graph import is_always_made
from graphdoctor.source import Module
from graphdoctor.source.bodies import Body

LAYERS = {
    "Dense", "Conv1D", "Conv2D", "Conv3D", "Conv1DTranspose", "Conv2DTranspose", "DepthwiseConv2D",
    "SeparableConv2D", "LSTM", "GRU", "SimpleRNN", "Embedding", "BatchNormalization",
    "LayerNormalization", "GroupNormalization", "MultiHeadAttention", "EinsumDense", "PReLU",
}  # fmt: skip
OPTIMIZERS = {"Adam", "AdamW", "SGD", "RMSprop", "Adagrad", "Adadelta", "Adamax", "Nadam", "Ftrl"}
METRICS = {"Mean", "Sum", "Accuracy", "BinaryAccuracy", "CategoricalAccuracy", "SparseCategoricalAccuracy",
           "MeanSquaredError", "MeanAbsoluteError", "AUC", "Precision", "Recall"}  # fmt: skip
MAKERS = (
    {f"keras.layers.{name}": "layer" for name in LAYERS}
    | {f"keras.optimizers.{name}": "optimizer" for name in OPTIMIZERS}
    | {f"keras.metrics.{name}": "metric" for name in METRICS}
    | {"keras.Sequential": "model", "keras.models.Sequential": "model"}
)


class LayerInGraph(Rule):
    """A layer, optimizer or metric made in a traced function makes new Variables at each trace.

    What it finds
    `keras.layers.Dense(…)`, `keras.optimizers.Adam(…)`, `keras.metrics.Mean(…)` and others that hold
    Variables, in a traced function, on a way that each trace takes. A layer must also be called
    there: without a call it makes no Variables.

    Why it matters
    Its weights would be new at each trace, and TensorFlow raises ValueError: "tf.function only supports
    singleton tf.Variables created on the first call".

    How to fix it
    Make it once, in `__init__` or before the function, and use it in the function.

    When to leave it
    Never: it raises when the function is called.
    """

    id = "GD402"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import keras
                import tensorflow as tf


                @tf.function
                def project(x):
                    return keras.layers.Dense(2, kernel_initializer="ones")(x)


                print(project(tf.ones([1, 2])).numpy())
                """,
            good="""
                import keras
                import tensorflow as tf

                dense = keras.layers.Dense(2, kernel_initializer="ones")


                @tf.function
                def project(x):
                    return dense(x)


                print(project(tf.ones([1, 2])).numpy())
                """,
            raises="ValueError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for call in body.of(ast.Call):
                what = MAKERS.get(body.dotted(call.func) or "")
                if what is None or not is_always_made(body, call) or body.is_guarded(call):
                    continue
                if what in ("layer", "model") and not _is_called(body, call):
                    continue
                yield self.finding_in(
                    body,
                    call,
                    f"each trace of `{body.name}` makes a new {what} with Variables of its own",
                    fix=Fix(title="Make it once, outside", safety=Safety.MANUAL),
                )


def _is_called(body: Body, call: ast.Call) -> bool:
    """Whether the layer is called in the same body: at once, or by the name it gets."""
    parent = body.parents.get(call)
    if isinstance(parent, ast.Call) and parent.func is call:
        return True
    if not isinstance(parent, ast.Assign) or not isinstance(parent.targets[0], ast.Name):
        return False
    name = parent.targets[0].id
    return any(isinstance(other.func, ast.Name) and other.func.id == name for other in body.of(ast.Call))
