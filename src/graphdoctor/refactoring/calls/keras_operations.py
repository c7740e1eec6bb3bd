"""Functions of TensorFlow's that `keras.ops` has too, with the same meaning; a test runs both of each.

Not among them is what differs in its defaults (`argmax`, `gelu`, `gather`), in its dtypes for some tensors
(`argmax` gives int32, `mean` of whole numbers a fraction), or near zero (`l2_normalize`).
"""

import dataclasses

REDUCING = {"input_tensor": "x", "axis": "axis", "keepdims": "keepdims"}


@dataclasses.dataclass(frozen=True)
class KerasOperation:
    """What `keras.ops` calls a function, and its parameters: in the same order, by TensorFlow's names.

    `floats`: it means the same for floating point numbers only.
    """

    name: str
    parameters: dict[str, str]
    floats: bool = False


def _one(name: str, given: str = "x", *, floats: bool = True) -> KerasOperation:
    return KerasOperation(name, {given: "x"}, floats)


def _two(name: str, *, floats: bool = False) -> KerasOperation:
    return KerasOperation(name, {"x": "x1", "y": "x2"}, floats)


_MATH = {
    **{name: _one(name) for name in ("exp", "sin", "cos", "tanh", "sqrt", "rsqrt", "sigmoid")},
    **{name: _one(name) for name in ("log", "log1p", "expm1", "floor", "ceil")},
    **{name: _one(name, floats=False) for name in ("abs", "square", "negative", "sign")},
    **{name: _two(name) for name in ("add", "subtract", "multiply", "maximum", "minimum")},
    **{name: _two(name) for name in ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal")},
    **{name: _two(name) for name in ("logical_and", "logical_or")},
    "softplus": _one("softplus", "features"),
    "divide": _two("divide", floats=True),
    "pow": _two("power", floats=True),
    "reduce_sum": KerasOperation("sum", REDUCING, floats=True),
    "reduce_mean": KerasOperation("mean", REDUCING, floats=True),
    "reduce_max": KerasOperation("max", REDUCING),
    "reduce_min": KerasOperation("min", REDUCING),
    "reduce_prod": KerasOperation("prod", REDUCING, floats=True),
    "reduce_logsumexp": KerasOperation("logsumexp", REDUCING, floats=True),
}
_NN = {
    **{name: _one(name, "features") for name in ("relu", "relu6", "selu", "silu", "softsign")},
    "sigmoid": _one("sigmoid"),
    "tanh": _one("tanh"),
    "softplus": _one("softplus", "features"),
    "softmax": KerasOperation("softmax", {"logits": "x", "axis": "axis"}, floats=True),
    "log_softmax": KerasOperation("log_softmax", {"logits": "x", "axis": "axis"}, floats=True),
}
_SHAPING = {
    "cast": KerasOperation("cast", {"x": "x", "dtype": "dtype"}),
    "clip_by_value": KerasOperation("clip", {"t": "x", "clip_value_min": "x_min", "clip_value_max": "x_max"}),
    "concat": KerasOperation("concatenate", {"values": "xs", "axis": "axis"}),
    "expand_dims": KerasOperation("expand_dims", {"input": "x", "axis": "axis"}),
    "matmul": KerasOperation("matmul", {"a": "x1", "b": "x2"}),
    "one_hot": KerasOperation("one_hot", {"indices": "x", "depth": "num_classes"}),
    "reshape": KerasOperation("reshape", {"tensor": "x", "shape": "newshape"}),
    "squeeze": KerasOperation("squeeze", {"input": "x", "axis": "axis"}),
    "stack": KerasOperation("stack", {"values": "x", "axis": "axis"}),
    "stop_gradient": KerasOperation("stop_gradient", {"input": "variable"}),
    "tile": KerasOperation("tile", {"input": "x", "multiples": "repeats"}),
    "transpose": KerasOperation("transpose", {"a": "x", "perm": "axes"}),
    "zeros_like": _one("zeros_like", "input", floats=False),
    "ones_like": _one("ones_like", "input", floats=False),
}
_AT_THE_TOP = (
    *("abs", "exp", "sin", "cos", "tanh", "sqrt", "sigmoid", "square", "negative", "sign", "floor"),
    *("add", "subtract", "multiply", "maximum", "minimum", "equal", "not_equal", "greater", "less"),
    *("greater_equal", "less_equal", "logical_and", "logical_or", "divide", "pow"),
    *("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod", "reduce_logsumexp"),
)
KERAS_OPERATIONS = {
    **{f"tensorflow.math.{name}": operation for name, operation in _MATH.items()},
    **{f"tensorflow.{name}": _MATH[name] for name in _AT_THE_TOP},
    **{f"tensorflow.nn.{name}": operation for name, operation in _NN.items()},
    **{f"tensorflow.{name}": operation for name, operation in _SHAPING.items()},
}
