"""GD503."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Gradient
from graphdoctor.rewriting.tapes import Tape
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import Asked, missing
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.names import dotted_name, module_alias

# NumPy functions and the TensorFlow functions that compute the same of one tensor of floats.
SAME = {
    "mean": "reduce_mean", "sum": "reduce_sum", "max": "reduce_max", "min": "reduce_min",
    "prod": "reduce_prod", "abs": "abs", "square": "square", "sqrt": "sqrt", "exp": "exp",
    "tanh": "tanh", "sin": "sin", "cos": "cos", "log": "math.log",
}  # fmt: skip
PREDICTIONS = ("predict", "predict_on_batch")


class PathLeavesTensorflow(Rule):
    """A value that goes through NumPy or Python comes back as a constant: the gradient is None.

    What it finds
    In a tape, on the way to the target: `.numpy()`, a NumPy function on a tensor, `float()` of a
    tensor, `model.predict`, `tf.numpy_function`; only where the whole way of a source goes through it.
    Printing or storing a value is no fault.

    Why it matters
    The tape records TensorFlow's operations. An array or a Python number has no history; made into a
    tensor again it is a constant, whose gradient is None.

    How to fix it
    Stay in TensorFlow: call the model (`model(x)`), use `tf.reduce_mean` for `np.mean`, drop `.numpy()`.

    When to leave it
    When the value is meant to be a constant; `tf.stop_gradient` says so.
    """

    id = "GD503"
    severity = Severity.WRONG
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
        yield from missing(self, facts, {"left": "Use TensorFlow operations throughout"}, fixing=_fix)


def _fix(event: Gradient, asked: Asked) -> Fix | None:
    call, module, tape = asked.written(event.broken), asked.module, asked.tape
    if not isinstance(call, ast.Call) or not tape.holds(call):
        return None
    function = call.func
    tensorflow = module_alias("tensorflow", tape.scope)
    if isinstance(function, ast.Attribute) and function.attr in PREDICTIONS and call.args:
        text = f"{module.source_of(function.value)}({module.source_of(call.args[0])})"
        return Fix(title="Call the model", safety=Safety.SAFE, edits=(module.replace(call, text),))
    if isinstance(function, ast.Attribute) and function.attr == "numpy":
        edits = (module.replace(call, module.source_of(function.value)),)
        return Fix(title="Drop `.numpy()`", safety=Safety.UNSAFE, edits=edits)
    name = (dotted_name(function, tape.scope) or "").removeprefix("numpy.")
    if name in SAME and tensorflow and len(call.args) == 1 and not call.keywords:
        replaced = _inside_constant(module, tape, call) or call
        text = f"{tensorflow}.{SAME[name]}({module.source_of(call.args[0])})"
        title = f"Use `{tensorflow}.{SAME[name]}`"
        return Fix(title=title, safety=Safety.UNSAFE, edits=(module.replace(replaced, text),))
    return None


def _inside_constant(module: Module, tape: Tape, call: ast.Call) -> ast.Call | None:
    """`tf.constant(…)` around the call, which takes no tensor in a graph and is not needed any more."""
    for placed in module.walk.calls:
        around = placed.node
        if isinstance(around, ast.Call) and around.args == [call] and not around.keywords:
            name = dotted_name(around.func, tape.scope)
            if name in ("tensorflow.constant", "tensorflow.convert_to_tensor"):
                return around
    return None
