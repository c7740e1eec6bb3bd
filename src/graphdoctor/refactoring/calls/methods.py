"""Methods of Python strings and NumPy arrays → TensorFlow functions; `.numpy()` → the tensor."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.calls import method_name, receiver_text
from graphdoctor.source.module import Module
from graphdoctor.source.names import module_alias
from graphdoctor.source.surroundings import parents_of

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
WITH_ARGUMENTS = ("astype", "clip")
WITHOUT_ARGUMENTS = ("lower", "upper", "strip", "copy", "round")


def as_function(module: Module, call: ast.Call) -> tuple[str, Edit] | None:
    """The order and the edit that put TensorFlow's function in the place of a method."""
    tensorflow = module_alias("tensorflow", module.scope_at(call))
    if tensorflow is None or not isinstance(call.func, ast.Attribute):
        return None
    method, receiver = call.func.attr, module.source_of(call.func.value)
    given = [module.source_of(each) for each in (*call.args, *call.keywords)]
    lacking = not given and method in WITH_ARGUMENTS
    if method in FLAT and not given:
        given = ["[-1]"]
    elif method == "reshape" and call.args and not call.keywords:
        one = len(call.args) == 1 and not isinstance(call.args[0], ast.Constant)
        given = given if one else [f"[{', '.join(given)}]"]
    elif method not in SAME or (bool(given) if method in WITHOUT_ARGUMENTS else lacking):
        return None
    elif method == "astype" and call.args and len(given) == 1:
        # What NumPy takes for a dtype, as TensorFlow does: Python's types are wider there.
        wider = {"float": f"{tensorflow}.float64", "int": f"{tensorflow}.int64"}
        given = [wider.get(given[0], given[0])]
    function = f"{tensorflow}.{SAME.get(method, 'reshape')}"
    return f"Use `{function}`", module.replace(call, f"{function}({', '.join([receiver, *given])})")


READS = {"numpy": "", "item": "", "tolist": "", "eval": "", "get_weights": ".weights"}


def unread(module: Module, call: ast.Call) -> Edit | None:
    """`x.numpy()` as `x`, `model.get_weights()` as `model.weights`.

    None where what follows works on a value of Python's: `.decode()`, `.astype(…)`.
    """
    method = call.func if not call.args else None
    if not isinstance(method, ast.Attribute) or method.attr not in READS:
        return None
    if isinstance(parents_of(module).get(call), ast.Attribute):
        return None
    return module.replace(call, module.source_of(method.value) + READS[method.attr])


def without_numpy(module: Module, call: ast.AST) -> Edit | None:
    """`x.numpy()` as `x`, whatever follows."""
    return module.replace(call, receiver_text(module, call)) if method_name(call) == "numpy" else None
