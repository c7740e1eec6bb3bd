"""NumPy's functions → TensorFlow's, which a graph can hold and a tape can follow."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.calls import called_name, method_name, receiver_text
from graphdoctor.source.module import Module
from graphdoctor.source.names import module_alias
from graphdoctor.source.surroundings import parents_of

# NumPy functions and the TensorFlow functions that compute the same of floats, under other names.
SAME = {
    "mean": "reduce_mean", "sum": "reduce_sum", "max": "reduce_max", "amax": "reduce_max",
    "min": "reduce_min", "amin": "reduce_min", "prod": "reduce_prod", "any": "reduce_any",
    "all": "reduce_all", "std": "math.reduce_std", "var": "math.reduce_variance", "log": "math.log",
    "log1p": "math.log1p", "arctan": "atan", "arcsin": "asin", "arccos": "acos", "power": "pow",
    "absolute": "abs", "concatenate": "concat", "clip": "clip_by_value", "isnan": "math.is_nan",
    "isinf": "math.is_inf", "isfinite": "math.is_finite", "mod": "math.floormod",
    "negative": "negative", "reciprocal": "math.reciprocal", "outer": "experimental.numpy.outer",
    "expand_dims": "expand_dims", "fabs": "abs", "linalg.norm": "norm", "linalg.inv": "linalg.inv",
    "linalg.det": "linalg.det",
} | {
    name: name
    for name in ("abs", "square", "sqrt", "exp", "tanh", "sin", "cos", "tan", "sinh", "cosh", "sign", "floor",
                 "round", "maximum", "minimum", "add", "subtract", "multiply", "where", "stack",
                 "reshape", "transpose", "squeeze", "zeros_like", "ones_like", "tile", "einsum",
                 "greater", "less", "equal", "logical_and", "logical_or", "logical_not", "divide")
}  # fmt: skip
# Where the two read their arguments in different ways, TensorFlow's own NumPy does.
AS_NUMPY = {
    "matmul", "dot", "linspace", "diff", "vstack", "hstack", "swapaxes", "moveaxis", "ravel",
    "flip", "roll", "inner", "vdot", "tensordot", "trace", "diag", "tril", "triu", "repeat", "cumprod",
    "ptp", "average", "argmax", "argmin", "cumsum", "nanmean", "nansum",
    "heaviside", "log2", "log10", "exp2", "hypot", "arctan2",
    "logaddexp", "split", "sort", "count_nonzero", "full_like", "ceil", "expm1",
}  # fmt: skip
DTYPES = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16")
NOTHING = ("array", "asarray", "ascontiguousarray", "copy", "asanyarray", *DTYPES)
REDUCED = ("axis", "keepdims")
MAKERS = ("tensorflow.constant", "tensorflow.convert_to_tensor")


def in_tensorflow(module: Module, call: ast.AST) -> tuple[str, tuple[Edit, ...]] | None:
    """The order and the edits that put TensorFlow's function in the place of NumPy's.

    Values that are read for it, `x.numpy()`, stay tensors: a gradient would not come back through one.
    """
    scope = module.scope_at(call)
    tensorflow, called = module_alias("tensorflow", scope), called_name(call, scope)
    if tensorflow is None or not isinstance(call, ast.Call) or not called.startswith("numpy."):
        return None
    name, unread = called.removeprefix("numpy."), _unread(module, call, tensorflow)
    if unread is None or (name == "where" and len(call.args) != 3):
        return None
    if name in NOTHING and call.args:
        return _without(module, call, name, tensorflow) if not unread else None
    function = _function_for(name, {keyword.arg for keyword in call.keywords})
    if function is None:
        return None
    whole, text = around_constant(module, call), f"{tensorflow}.{function}"
    given = module.source_of(call)[len(module.source_of(call.func)) :]
    if name == "concatenate" and len(call.args) == 1 and not call.keywords:
        given = f"{given[:-1]}, axis=0)"
    elif whole is None:  # the name alone: what is called inside it may be edited as well
        return f"Use `{text}`", (module.replace(call.func, text), *unread)
    return (f"Use `{text}`", (module.replace(whole or call, f"{text}{given}"),)) if not unread else None


def _function_for(name: str, options: set[str | None]) -> str | None:
    """TensorFlow's function that computes the same, given these options."""
    if name in SAME and options <= set(REDUCED):
        return SAME[name]
    return f"experimental.numpy.{name}" if name in AS_NUMPY else None


def _unread(module: Module, call: ast.Call, tensorflow: str) -> list[Edit] | None:
    """The edits that keep tensors what is read of them for a call; None where Python needs their values."""
    edits: list[Edit] = []
    for read in ast.walk(call):
        if method_name(read) != "numpy" or read is call:
            continue
        outer, tensor = parents_of(module)[read], receiver_text(module, read)
        if isinstance(outer, ast.Attribute) and outer.attr == "T":
            edits.append(module.replace(outer, f"{tensorflow}.transpose({tensor})"))
        elif isinstance(outer, ast.Attribute):
            return None
        else:
            edits.append(module.replace(read, tensor))
    return edits


def _without(module: Module, call: ast.Call, name: str, tensorflow: str) -> tuple[str, tuple[Edit, ...]]:
    """`np.array(x)` as `x`, cast where a dtype is given."""
    dtype = call.args[1] if len(call.args) > 1 else None
    dtype = next((keyword.value for keyword in call.keywords if keyword.arg == "dtype"), dtype)
    text = module.source_of(call.args[0])
    if dtype is not None or name in DTYPES:
        text = f"{tensorflow}.cast({text}, {module.source_of(dtype) if dtype else f'{tensorflow}.{name}'})"
    elif isinstance(call.args[0], ast.List | ast.Tuple):
        text = f"{tensorflow}.stack({text})"
    return f"Drop `np.{name}`", (module.replace(call, text),)


def around_constant(module: Module, call: ast.Call) -> ast.Call | None:
    """`tf.constant(…)` directly around a call."""
    outer = parents_of(module).get(call)
    if not isinstance(outer, ast.Call) or outer.args != [call] or outer.keywords:
        return None
    made = called_name(outer, module.scope_at(outer))
    return outer if made in MAKERS else None
