"""Arguments that a function of TensorFlow's takes for something else."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.calls import called_name
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.surroundings import parents_of

DTYPES = {"float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool"}
PAIRS = {"add", "multiply", "maximum", "minimum", "logical_and", "logical_or", "math.add", "math.multiply",
         "math.maximum", "math.minimum"}  # fmt: skip


def converted(module: Module, call: ast.Call) -> tuple[str, Edit, bool] | None:
    """`tf.constant(tensor)` as `tf.convert_to_tensor`, or as a cast; and whether it is the same for sure."""
    if not isinstance(call.func, ast.Attribute) or not call.args:
        return None
    tensorflow = module.source_of(call.func.value)
    given = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg != "name"}
    dtype = given.pop("dtype", call.args[1] if len(call.args) > 1 else None)
    if given or len(call.args) > 2:
        return None
    value = module.source_of(call.args[0])
    if dtype is None:
        text = f"{tensorflow}.convert_to_tensor({value})"
        return "Use `tf.convert_to_tensor`", module.replace(call, text), True
    text = f"{tensorflow}.cast({value}, {module.source_of(dtype)})"
    return "Use `tf.cast`", module.replace(call, text), False


def not_a_name(module: Module, given: ast.AST) -> tuple[str, Edit] | None:
    """A dtype given as `name` as a cast; a third operand as one more operation."""
    call = parents_of(module).get(given)
    if not isinstance(call, ast.Call) or call.func is given or call.keywords:
        return None
    scope, source = module.scope_at(call), module.source_of
    called = called_name(call, scope).removeprefix("tensorflow.")
    dtype = (dotted_name(given, scope) or "").removeprefix("tensorflow.")
    root = source(call.func).partition(".")[0]
    if dtype in DTYPES and len(call.args) == 2:
        text = f"{source(call.func)}({root}.cast({source(call.args[0])}, {module.source_of(given)}))"
        return "Cast the argument", module.replace(call, text)
    if called in PAIRS and len(call.args) == 3:
        first, second, third = (source(each) for each in call.args)
        name = source(call.func)
        return "Nest the calls", module.replace(call, f"{name}({name}({first}, {second}), {third})")
    return None
