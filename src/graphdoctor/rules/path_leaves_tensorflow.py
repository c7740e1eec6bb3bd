"""GD503."""

import ast
import functools
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradient_evidence import missing
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.functions import resolve_function
from graphdoctor.source.kinds import kind_of
from graphdoctor.source.names import dotted_name, module_alias
from graphdoctor.source.tapes import Tape, breaking, find_tapes

# NumPy functions and the TensorFlow functions that compute the same of one tensor of floats.
SAME = {
    "mean": "reduce_mean", "sum": "reduce_sum", "max": "reduce_max", "min": "reduce_min",
    "prod": "reduce_prod", "abs": "abs", "square": "square", "sqrt": "sqrt", "exp": "exp",
    "tanh": "tanh", "sin": "sin", "cos": "cos", "log": "math.log",
}  # fmt: skip
PREDICTIONS = ("predict", "predict_on_batch")
NUMBERS = ("builtins.float", "builtins.int")


class PathLeavesTensorflow(Rule):
    """A value that goes through NumPy or Python comes back as a constant: the gradient is None.

    What it finds
    In a tape, on the way to the target: `.numpy()`, a NumPy function on a tensor, `float()` of a
    tensor, `model.predict`. From a run also `tf.numpy_function`. From the source only where the
    whole target comes this way; printing or storing a value is no fault.

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

    def check_source(self, module: Module) -> Iterator[Finding]:
        for tape in find_tapes(module):
            told: set[int] = set()
            for question in tape.questions:
                for found in breaking(tape, question.target, functools.partial(_leaves, tape)):
                    if id(found) not in told and isinstance(found, ast.Call):
                        told.add(id(found))
                        traced = module.traced_around(tape.scope)
                        yield self.finding(
                            module.span(found),
                            f"`{module.source_of(found.func)}` leaves TensorFlow on the way to the target: "
                            "the gradient is None",
                            traced.function.ref if traced else None,
                            fix=_fix(module, tape, found),
                        )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"left": "Use TensorFlow operations throughout"})


def _leaves(tape: Tape, node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = dotted_name(node.func, tape.scope)
    if name is None:
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        return (method == "numpy" and not node.args) or (method in PREDICTIONS and _is_keras(node, tape))
    taken = node.args[:1]
    if name in NUMBERS or name.startswith("numpy."):
        return any(_is_tensor(argument, tape) for argument in taken)
    return False


def _is_keras(call: ast.Call, tape: Tape) -> bool:
    """False where the project has a `predict` of its own, which may stay in TensorFlow."""
    home = tape.scope.home
    own = home is not None and any(f"def {name}(" in home.text for name in PREDICTIONS)
    return not own and resolve_function(call.func, tape.scope) is None


def _is_tensor(node: ast.expr, tape: Tape) -> bool:
    """Whether an expression is a tensor: by its kind, or because the tape computes it."""
    if kind_of(node, tape.scope) in (Kind.TENSOR, Kind.VARIABLE):
        return True
    bound = tape.bindings(node.id) if isinstance(node, ast.Name) else []
    return any(isinstance(b, ast.Assign) and isinstance(b.value, ast.Call) and tape.holds(b) for b in bound)


def _fix(module: Module, tape: Tape, call: ast.Call) -> Fix:
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
    return Fix(title="Use TensorFlow operations throughout", safety=Safety.MANUAL)


def _inside_constant(module: Module, tape: Tape, call: ast.Call) -> ast.Call | None:
    """`tf.constant(…)` around the call, which takes no tensor in a graph and is not needed any more."""
    for placed in module.walk.calls:
        around = placed.node
        if isinstance(around, ast.Call) and around.args == [call] and not around.keywords:
            name = dotted_name(around.func, tape.scope)
            if name in ("tensorflow.constant", "tensorflow.convert_to_tensor"):
                return around
    return None
