"""The dtype of an expression, as far as the text and the recorded arguments tell."""

import ast
from collections.abc import Mapping

from graphdoctor.source.names import dotted_name
from graphdoctor.source.resolving import attribute_values, bindings_of, class_around, is_self
from graphdoctor.source.scopes import Scope

DEPTH = 6
FLOATS = ("float16", "bfloat16", "float32", "float64")
# What these make is float32 unless a dtype is given.
MAKES_FLOATS = {
    "tensorflow.ones", "tensorflow.zeros", "tensorflow.eye", "tensorflow.random.normal",
    "tensorflow.random.uniform", "tensorflow.random.truncated_normal", "tensorflow.random.stateless_normal",
    "tensorflow.random.stateless_uniform", "tensorflow.nn.softmax", "tensorflow.nn.sigmoid",
    "tensorflow.sigmoid", "tensorflow.tanh", "tensorflow.nn.relu", "tensorflow.nn.softplus",
    "tensorflow.norm", "tensorflow.nn.log_softmax",
}  # fmt: skip
MAKES_INT32 = {"tensorflow.shape", "tensorflow.size", "tensorflow.rank"}
MAKES_INT64 = {"tensorflow.argmax", "tensorflow.argmin", "tensorflow.math.argmax", "tensorflow.where"}
# Of the value that is given first.
OF_ITS_ARGUMENT = {
    "tensorflow.constant", "tensorflow.convert_to_tensor", "tensorflow.Variable", "tensorflow.identity",
    "tensorflow.reshape", "tensorflow.transpose", "tensorflow.squeeze", "tensorflow.expand_dims",
    "tensorflow.reduce_sum", "tensorflow.reduce_mean", "tensorflow.reduce_max", "tensorflow.reduce_min",
    "tensorflow.exp", "tensorflow.math.exp", "tensorflow.math.log", "tensorflow.sqrt", "tensorflow.square",
    "tensorflow.math.sqrt", "tensorflow.math.square", "tensorflow.abs", "tensorflow.sin", "tensorflow.cos",
    "tensorflow.gather", "tensorflow.stack", "tensorflow.concat", "tensorflow.matmul", "tensorflow.range",
    "tensorflow.linalg.matvec", "tensorflow.zeros_like", "tensorflow.ones_like", "tensorflow.fill",
    "tensorflow.clip_by_value", "tensorflow.maximum", "tensorflow.minimum", "tensorflow.linspace",
    "tensorflow.stop_gradient", "tensorflow.tile", "tensorflow.pad", "tensorflow.reverse", "tensorflow.add_n",
    "tensorflow.nn.dropout", "tensorflow.ensure_shape", "tensorflow.cumsum", "tensorflow.math.cumsum",
}  # fmt: skip


def dtype_of(
    node: ast.expr | None, scope: Scope, known: Mapping[str, str | None], depth: int = 0
) -> str | None:
    """The name of a tensor's dtype; `known` are those of names. None where the text does not tell."""
    if node is None or depth > DEPTH:
        return None
    if isinstance(node, ast.Constant):
        return "float32" if type(node.value) is float else None
    if isinstance(node, ast.Name):
        return known[node.id] if node.id in known else _of_name(node.id, scope, known, depth)
    if isinstance(node, ast.Attribute):
        return _of_attribute(node, scope, depth)
    if isinstance(node, ast.Call):
        return _of_call(node, scope, known, depth)
    parts: list[ast.expr] = []
    if isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
    elif isinstance(node, ast.UnaryOp):
        parts = [node.operand]
    elif isinstance(node, ast.Subscript):
        parts = [node.value]
    elif isinstance(node, ast.List | ast.Tuple):
        parts = node.elts[:3]
    elif isinstance(node, ast.IfExp):
        parts = [node.body, node.orelse]
    found = (dtype_of(part, scope, known, depth + 1) for part in parts)
    return next((dtype for dtype in found if dtype), None)


def _of_name(name: str, scope: Scope, known: Mapping[str, str | None], depth: int) -> str | None:
    found = bindings_of(name, scope)
    if found is None:
        return None
    values = [binding.value for binding in found[1] if binding.kind == "value" and binding.index is None]
    if len(values) != len(found[1]):
        return None
    dtypes = {dtype_of(value, found[0], known, depth + 2) for value in values} - {None}
    return dtypes.pop() if len(dtypes) == 1 else None


def _of_attribute(node: ast.Attribute, scope: Scope, depth: int) -> str | None:
    owner = class_around(scope)
    if owner is None or not is_self(node.value):
        return None
    values = attribute_values(owner, node.attr)
    dtypes = {dtype_of(value, scope, {}, depth + 2) for value in values} - {None}
    return dtypes.pop() if len(dtypes) == 1 else None


def _of_call(node: ast.Call, scope: Scope, known: Mapping[str, str | None], depth: int) -> str | None:
    name = dotted_name(node.func, scope)
    if name is None:
        method = node.func if isinstance(node.func, ast.Attribute) else None
        same = method is not None and method.attr in ("read_value", "numpy", "value", "stack", "read")
        return dtype_of(method.value, scope, known, depth + 1) if method is not None and same else None
    given = next((keyword.value for keyword in node.keywords if keyword.arg == "dtype"), None)
    named = [*([given] if given is not None else []), *node.args[1:]]
    for written in named:
        stated = dtype_name(written, scope)
        if stated is not None:
            return stated
    if given is not None:
        return None
    if name in MAKES_FLOATS:
        return "float32"
    if name in MAKES_INT32:
        return "int32"
    if name in MAKES_INT64 and len(node.args) < 3:
        return "int64"
    if name in OF_ITS_ARGUMENT and node.args:
        if is_whole_number(node.args[0]):
            return "int32"
        return dtype_of(node.args[0], scope, known, depth + 1)
    return None


def is_whole_number(node: ast.expr) -> bool:
    """Whether an expression is a literal such as `3`."""
    return isinstance(node, ast.Constant) and type(node.value) is int


def dtype_name(node: ast.expr, scope: Scope) -> str | None:
    """`float32` for `tf.float32`, `np.float32` and the text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        written = node.value
    else:
        name = dotted_name(node, scope) or ""
        package, _, written = name.rpartition(".")
        if package not in ("tensorflow", "numpy", "tensorflow.dtypes"):
            return None
    is_dtype = written.rstrip("0123456789") in ("float", "int", "uint", "bfloat", "bool", "complex", "string")
    return written if is_dtype and (written[-1].isdigit() or written in ("bool", "string")) else None
