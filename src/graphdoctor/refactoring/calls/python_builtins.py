"""Python's own functions on tensors → TensorFlow's."""

import ast
from collections.abc import Collection

from graphdoctor.model import Edit
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name, module_alias

# Of one tensor, over its first axis, as Python goes through it.
OVER_THE_FIRST_AXIS = {"sum": "reduce_sum", "any": "reduce_any", "all": "reduce_all"}
LARGEST = {"max": ("reduce_max", "maximum"), "min": ("reduce_min", "minimum")}
TAKEN_APART = ("list", "tuple", "zip", "enumerate", "map", "filter", "reversed")
WHOLE = {"set": "unique({0}).y", "frozenset": "unique({0}).y", "sorted": "sort({0})", "round": "round({0})",
         "int": "cast({0}, {tf}.int32)", "float": "cast({0}, {tf}.float32)",
         "bool": "cast({0}, {tf}.bool)", "range": "range({0})"}  # fmt: skip
WHOLE_NUMBERS = ("ceil", "floor")  # which are integers for Python, and floats for TensorFlow
OF_FLOATS = {"fabs": "abs", "isnan": "is_nan", "isinf": "is_inf", "isfinite": "is_finite"} | {
    name: name
    for name in ("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "erf", "erfc", "exp",
                 "expm1", "lgamma", "log", "log1p", "sin", "sinh", "sqrt", "tan", "tanh")
}  # fmt: skip


def in_tensorflow(
    module: Module, call: ast.AST, tensor: ast.AST | None, tensors: Collection[str] = ()
) -> tuple[str, tuple[Edit, ...]] | None:
    """The order and the edits that let TensorFlow do what a builtin would do; None where it has no such.

    `tensor` is the argument that is one for sure, `tensors` names others.
    """
    tensorflow = module_alias("tensorflow", module.scope_at(call))
    if tensorflow is not None and isinstance(call, ast.Compare):
        return _among(module, call, tensor, tensorflow)
    if tensorflow is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    name, given = call.func.id, [module.source_of(argument) for argument in call.args]
    if name in TAKEN_APART and isinstance(tensor, ast.expr) and tensor in call.args:
        parts = [each for each in call.args if each is tensor or module.source_of(each) in tensors]
        return "Use `tf.unstack`", tuple(
            module.replace(each, f"{tensorflow}.unstack({module.source_of(each)})") for each in parts
        )
    if call.keywords or any(isinstance(argument, ast.Starred | ast.GeneratorExp) for argument in call.args):
        return None
    text = _written(tensorflow, name, given)
    if not text:
        return None
    return f"Use `tf.{text.partition('(')[0]}`", (module.replace(call, f"{tensorflow}.{text}"),)


def math_in_tensorflow(module: Module, call: ast.AST) -> tuple[str, tuple[Edit, ...]] | None:
    """The order and the edits that compute of a tensor of floats what `math` computes of a number."""
    scope = module.scope_at(call)
    tensorflow = module_alias("tensorflow", scope)
    if tensorflow is None or not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
        return None
    name = (dotted_name(call.func, scope) or "").removeprefix("math.")
    given = module.source_of(call.args[0])
    function = name if name in WHOLE_NUMBERS else OF_FLOATS.get(name)
    if function is None:
        return None
    text = f"{tensorflow}.math.{function}({given})"
    if name in WHOLE_NUMBERS:
        text = f"{tensorflow}.cast({text}, {tensorflow}.int32)"
    return f"Use `tf.math.{function}`", (module.replace(call, text),)


def _among(
    module: Module, asked: ast.Compare, tensor: ast.AST | None, tensorflow: str
) -> tuple[str, tuple[Edit, ...]] | None:
    """`x in (1, 2)` and `1 in x`: whether any element is equal."""
    one, several = asked.left, asked.comparators[0]
    if len(asked.ops) > 1 or not isinstance(asked.ops[0], ast.In | ast.NotIn) or tensor is None:
        return None
    elements = module.source_of(several)
    if isinstance(several, ast.Set):
        elements = f"[{', '.join(map(module.source_of, several.elts))}]"
    elif tensor is not several and not isinstance(several, ast.List | ast.Tuple):
        elements = f"list({elements})"  # also of a set, which TensorFlow does not take
    text = f"{tensorflow}.reduce_any({tensorflow}.equal({module.source_of(one)}, {elements}))"
    if isinstance(asked.ops[0], ast.NotIn):
        text = f"{tensorflow}.logical_not({text})"
    return "Use `tf.reduce_any`", (module.replace(asked, text),)


def _written(tensorflow: str, name: str, given: list[str]) -> str:
    """The call without the name of TensorFlow; empty where there is none."""
    if name in OVER_THE_FIRST_AXIS and len(given) == 1:
        return f"{OVER_THE_FIRST_AXIS[name]}({given[0]}, axis=0)"
    if name in LARGEST and given:
        whole, pair = LARGEST[name]
        text = f"{whole}({given[0]})" if len(given) == 1 else given[0]
        for number, other in enumerate(given[1:]):
            inner = f"{tensorflow}.{text}" if number else text
            text = f"{pair}({inner}, {other})"
        return text
    if name in WHOLE and (len(given) == 1 or name == "range"):
        return WHOLE[name].format(", ".join(given), tf=tensorflow)
    return ""
