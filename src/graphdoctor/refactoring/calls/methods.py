"""Methods of Python strings and NumPy arrays → TensorFlow functions; `.numpy()` → the tensor."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.module import Module
from graphdoctor.source.names import module_alias

# The function, what stands before and what after the method's own arguments.
REDUCING = {"mean": "reduce_mean", "sum": "reduce_sum", "max": "reduce_max", "min": "reduce_min",
            "any": "reduce_any", "all": "reduce_all", "prod": "reduce_prod", "std": "math.reduce_std",
            "var": "math.reduce_variance"}  # fmt: skip
SAME = REDUCING | {
    "split": "strings.split", "lower": "strings.lower", "upper": "strings.upper", "strip": "strings.strip",
    "astype": "cast", "squeeze": "squeeze", "cumsum": "cumsum", "argsort": "argsort", "copy": "identity",
    "argmax": "argmax", "argmin": "argmin", "round": "round", "clip": "clip_by_value",
}  # fmt: skip
FLAT = ("flatten", "ravel")
# Methods that have no function, or one that reads its arguments otherwise.
OTHERS = (
    "rsplit", "lstrip", "rstrip", "startswith", "endswith", "replace", "decode", "encode", "splitlines",
    "title", "isdigit", "zfill", "dot", "repeat", "nonzero", "swapaxes", "transpose",
)  # fmt: skip
METHODS = frozenset((*SAME, *FLAT, *OTHERS, "reshape"))
WITHOUT_ARGUMENTS = ("lower", "upper", "strip", "copy", "round")


def as_function(module: Module, call: ast.Call) -> tuple[str, Edit] | None:
    """The order and the edit that put TensorFlow's function in the place of a method."""
    tensorflow = module_alias("tensorflow", module.scope_at(call))
    if tensorflow is None or not isinstance(call.func, ast.Attribute):
        return None
    method, receiver = call.func.attr, module.source_of(call.func.value)
    given = [module.source_of(each) for each in (*call.args, *call.keywords)]
    if method in FLAT and not given:
        return f"Use `{tensorflow}.reshape`", module.replace(call, f"{tensorflow}.reshape({receiver}, [-1])")
    if method == "reshape" and call.args and not call.keywords:
        one = len(call.args) == 1 and not isinstance(call.args[0], ast.Constant)
        shape = given[0] if one else f"[{', '.join(given)}]"
        return f"Use `{tensorflow}.reshape`", module.replace(
            call, f"{tensorflow}.reshape({receiver}, {shape})"
        )
    if method not in SAME or (given and method in WITHOUT_ARGUMENTS):
        return None
    if not given and method in ("astype", "clip"):
        return None
    function = f"{tensorflow}.{SAME[method]}"
    if method == "astype":
        given = [_dtype(call.args[0], tensorflow, given[0])] if call.args and len(given) == 1 else given
    return f"Use `{function}`", module.replace(call, f"{function}({', '.join([receiver, *given])})")


def _dtype(node: ast.expr, tensorflow: str, text: str) -> str:
    """What NumPy takes for a dtype, as TensorFlow does: Python's types are wider there."""
    return {"float": f"{tensorflow}.float64", "int": f"{tensorflow}.int64"}.get(text, text)


READS = {"numpy": "", "item": "", "tolist": "", "eval": "", "get_weights": ".weights"}


def unread(module: Module, call: ast.Call) -> Edit | None:
    """`x.numpy()` as `x`, `model.get_weights()` as `model.weights`.

    None where what follows works on a value of Python's: `.decode()`, `.astype(…)`.
    """
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in READS or call.args:
        return None
    after = next((n for n in ast.walk(module.tree) if isinstance(n, ast.Attribute) and n.value is call), None)
    text = module.source_of(call.func.value) + READS[call.func.attr]
    return module.replace(call, text) if after is None else None


def without_numpy(module: Module, call: ast.AST) -> Edit | None:
    """`x.numpy()` as `x`, whatever follows."""
    method = call.func if isinstance(call, ast.Call) else None
    if not isinstance(method, ast.Attribute) or method.attr != "numpy":
        return None
    return module.replace(call, module.source_of(method.value))
