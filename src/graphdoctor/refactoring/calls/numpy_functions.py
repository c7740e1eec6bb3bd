"""NumPy's functions → TensorFlow's, which a graph can hold and a tape can follow."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name, module_alias

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


def in_tensorflow(module: Module, call: ast.AST) -> tuple[str, tuple[Edit, ...]] | None:
    """The order and the edits that put TensorFlow's function in the place of NumPy's.

    Values that are read for it, `x.numpy()`, stay tensors: a gradient would not come back through one.
    """
    if not isinstance(call, ast.Call):
        return None
    scope = module.scope_at(call)
    tensorflow = module_alias("tensorflow", scope)
    name = (dotted_name(call.func, scope) or "").removeprefix("numpy.")
    if tensorflow is None or not (dotted_name(call.func, scope) or "").startswith("numpy."):
        return None
    keywords = {keyword.arg for keyword in call.keywords}
    unread = _unread(module, call, tensorflow)
    if unread is None:
        return None
    if name in NOTHING and call.args:
        return _without(module, call, name, tensorflow) if not unread else None
    whole = around_constant(module, call)
    if name in SAME and keywords <= set(REDUCED):
        text = f"{tensorflow}.{SAME[name]}"
    elif name in AS_NUMPY:
        text = f"{tensorflow}.experimental.numpy.{name}"
    else:
        return None
    given = module.source_of(call)[len(module.source_of(call.func)) :]
    if name == "where" and len(call.args) != 3:
        return None
    if name == "concatenate" and len(call.args) == 1 and not keywords:
        given = f"{given[:-1]}, axis=0)"
    elif whole is None:  # the name alone: what is called inside it may be edited as well
        return f"Use `{text}`", (module.replace(call.func, text), *unread)
    return (f"Use `{text}`", (module.replace(whole or call, f"{text}{given}"),)) if not unread else None


def _unread(module: Module, call: ast.Call, tensorflow: str) -> list[Edit] | None:
    """The edits that keep tensors what is read of them for a call; None where Python needs their values."""
    parents = {child: node for node in ast.walk(call) for child in ast.iter_child_nodes(node)}
    edits: list[Edit] = []
    for read in parents:
        method = read.func if isinstance(read, ast.Call) else None
        if not isinstance(method, ast.Attribute) or method.attr != "numpy":
            continue
        around, tensor = parents[read], module.source_of(method.value)
        if isinstance(around, ast.Attribute) and around.attr == "T":
            edits.append(module.replace(around, f"{tensorflow}.transpose({tensor})"))
        elif isinstance(around, ast.Attribute):
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
    for placed in module.walk.calls:
        around = placed.node
        if isinstance(around, ast.Call) and around.args == [call] and not around.keywords:
            name = dotted_name(around.func, placed.scope)
            if name in ("tensorflow.constant", "tensorflow.convert_to_tensor"):
                return around
    return None
