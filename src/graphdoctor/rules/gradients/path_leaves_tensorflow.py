"""GD503."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Gradient
from graphdoctor.refactoring.calls.methods import without_numpy
from graphdoctor.refactoring.calls.models import called_directly
from graphdoctor.refactoring.calls.numpy_functions import in_tensorflow
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import missing
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import MISSING_GRADIENT
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.sites import Node


class PathLeavesTensorflow(Rule):
    """A value that passes through NumPy or Python becomes a constant: the gradient is None.

    What it finds
    In a tape, on the path to the target: `.numpy()`, a NumPy function on a tensor, `float()` of a tensor,
    `model.predict`, `tf.numpy_function`; only where every path of a source leads through it. From the source
    also where one term of a loss does while the other terms have a gradient: that term changes the displayed
    loss and trains nothing. Printing or storing a value is not reported.

    Why it matters
    The tape records TensorFlow's operations. An array or a Python number has no history; converted to a
    tensor again it is a constant, whose gradient is None.

    How to fix it
    Stay in TensorFlow: call the model (`model(x)`), use `tf.reduce_mean` for `np.mean`, drop `.numpy()`.

    When to leave it
    When the value is meant to be a constant; `tf.stop_gradient` says so. Where the code asks for None itself
    (`if g is None`, `assert g is None`), or shows the answer beside one of the same tape that there is, the
    confidence is low.
    """

    id = "GD503"
    severity = Severity.WRONG
    repair = MISSING_GRADIENT
    examples = (
        Example(
            bad="""
                import numpy as np
                import tensorflow as tf

                w = tf.Variable([1.0, 2.0])
                with tf.GradientTape() as tape:
                    error = tf.square(w - 3.0)
                    loss = tf.constant(np.mean(error))
                print(tape.gradient(loss, w))
                """,
            good="""
                import numpy as np
                import tensorflow as tf

                w = tf.Variable([1.0, 2.0])
                with tf.GradientTape() as tape:
                    error = tf.square(w - 3.0)
                    loss = tf.reduce_mean(error)
                print(tape.gradient(loss, w))
                """,
            output=("None", "tf.Tensor([-2. -1.], shape=(2,), dtype=float32)"),
        ),
        Example(
            bad="""
                import tensorflow as tf

                layer = tf.keras.layers.Dense(1, kernel_initializer="ones")
                model = tf.keras.Sequential([tf.keras.Input([2]), layer])
                x = tf.ones([1, 2])
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    score = tf.reduce_sum(model.predict(x, verbose=0))
                print(tape.gradient(score, x))
                """,
            good="""
                import tensorflow as tf

                layer = tf.keras.layers.Dense(1, kernel_initializer="ones")
                model = tf.keras.Sequential([tf.keras.Input([2]), layer])
                x = tf.ones([1, 2])
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    score = tf.reduce_sum(model(x))
                print(tape.gradient(score, x))
                """,
            output=("None", "tf.Tensor([[1. 1.]], shape=(1, 2), dtype=float32)"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"left": "Use TensorFlow operations throughout"}, at_break=_fix)


def _fix(event: Gradient, module: Module, node: Node) -> Fix | None:
    predicted = called_directly(module, node)
    if predicted is not None:
        return offer("Call the model", predicted, Safety.SAFE)
    dropped = without_numpy(module, node)
    if dropped is not None:
        return offer("Drop `.numpy()`", dropped)
    written = in_tensorflow(module, node)
    return offer(*written) if written is not None else None
