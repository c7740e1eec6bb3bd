"""Expressions → what kind of value they have, where that is certain."""

import ast
import enum

from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Binding, Scope

LONGEST_CHAIN = 8


class Kind(enum.Enum):
    """Kinds of value that graph mode treats differently; UNKNOWN is silence."""

    NUMBER = "number"
    TEXT = "text"
    ARRAY = "array"
    TENSOR = "tensor"
    VARIABLE = "variable"
    TENSOR_ARRAY = "TensorArray"
    DATASET = "dataset"
    SHAPE = "shape"
    LIST = "list"
    UNKNOWN = "unknown"


TENSOR_MODULES = (
    "tensorflow.math.", "tensorflow.linalg.", "tensorflow.nn.", "tensorflow.image.",
    "tensorflow.signal.", "tensorflow.strings.", "tensorflow.bitwise.",
)  # fmt: skip
TENSOR_FUNCTIONS = {
    f"tensorflow.{name}"
    for name in [
        "abs",
        "add",
        "add_n",
        "argmax",
        "argmin",
        "argsort",
        "boolean_mask",
        "broadcast_to",
        "cast",
        "clip_by_value",
        "concat",
        "constant",
        "convert_to_tensor",
        "cos",
        "cumsum",
        "divide",
        "einsum",
        "equal",
        "exp",
        "expand_dims",
        "eye",
        "fill",
        "floor",
        "gather",
        "gather_nd",
        "greater",
        "greater_equal",
        "identity",
        "less",
        "less_equal",
        "linspace",
        "logical_and",
        "logical_not",
        "logical_or",
        "matmul",
        "maximum",
        "minimum",
        "multiply",
        "negative",
        "norm",
        "not_equal",
        "one_hot",
        "ones",
        "ones_like",
        "pad",
        "pow",
        "range",
        "rank",
        "realdiv",
        "reduce_all",
        "reduce_any",
        "reduce_max",
        "reduce_mean",
        "reduce_min",
        "reduce_prod",
        "reduce_sum",
        "repeat",
        "reshape",
        "reverse",
        "roll",
        "round",
        "scatter_nd",
        "searchsorted",
        "sequence_mask",
        "shape",
        "sigmoid",
        "sign",
        "sin",
        "size",
        "slice",
        "sort",
        "sqrt",
        "square",
        "squeeze",
        "stack",
        "stop_gradient",
        "strided_slice",
        "subtract",
        "tanh",
        "tensordot",
        "tile",
        "timestamp",
        "transpose",
        "truediv",
        "where",
        "zeros",
        "zeros_like",
        "random.normal",
        "random.uniform",
        "random.truncated_normal",
        "random.categorical",
        "random.shuffle",
        "random.stateless_normal",
        "random.stateless_uniform",
    ]
}
NUMBER_FUNCTIONS = {f"builtins.{name}" for name in ("int", "float", "len", "round", "abs", "sum", "bool")}
TENSOR_ANNOTATIONS = {"tensorflow.Tensor", "tensorflow.types.experimental.TensorLike"}


def kind_of(node: ast.expr | None, scope: Scope, depth: int = 0) -> Kind:
    """The kind of an expression's value; UNKNOWN unless certain."""
    if node is None or depth > LONGEST_CHAIN:
        return Kind.UNKNOWN
    if isinstance(node, ast.Constant):
        return _kind_of_constant(node.value)
    if isinstance(node, ast.Name):
        return _kind_of_name(node.id, scope, depth)
    if isinstance(node, ast.Call):
        return _kind_of_call(node, scope, depth)
    if isinstance(node, ast.BinOp):
        return _join_operands(kind_of(node.left, scope, depth + 1), kind_of(node.right, scope, depth + 1))
    if isinstance(node, ast.UnaryOp):
        return kind_of(node.operand, scope, depth + 1)
    if isinstance(node, ast.Compare):
        kinds = [kind_of(n, scope, depth + 1) for n in (node.left, *node.comparators)]
        plain = all(
            isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE | ast.Eq | ast.NotEq) for op in node.ops
        )
        return Kind.TENSOR if plain and tensor_like(kinds) else Kind.UNKNOWN
    if isinstance(node, ast.Attribute):
        return _kind_of_attribute(node, scope, depth)
    if isinstance(node, ast.Subscript):
        return _kind_of_item(kind_of(node.value, scope, depth + 1))
    if isinstance(node, ast.List | ast.ListComp):
        return Kind.LIST
    if isinstance(node, ast.JoinedStr):
        return Kind.TEXT
    return Kind.UNKNOWN


def tensor_like(kinds: list[Kind]) -> bool:
    """Whether an operation on these gives a tensor: one is a tensor, and none is a mystery object."""
    return any(kind in (Kind.TENSOR, Kind.VARIABLE) for kind in kinds)


def _kind_of_constant(value: object) -> Kind:
    if isinstance(value, bool | int | float | complex):
        return Kind.NUMBER
    return Kind.TEXT if isinstance(value, str | bytes) else Kind.UNKNOWN


def _kind_of_name(name: str, scope: Scope, depth: int) -> Kind:
    found = scope.lookup(name)
    if found is None:
        return Kind.UNKNOWN
    kinds = {kind_of_binding(binding, found[0], depth) for binding in found[1] if binding.kind != "update"}
    updates = {kind_of_binding(binding, found[0], depth) for binding in found[1] if binding.kind == "update"}
    if kinds == {Kind.TENSOR}:  # whatever is added to a tensor, the sum is one
        return Kind.TENSOR
    kinds |= updates
    return kinds.pop() if len(kinds) == 1 else Kind.UNKNOWN


def kind_of_binding(binding: Binding, scope: Scope, depth: int = 0) -> Kind:
    """The kind of value that one binding gives its name."""
    if binding.kind == "parameter" and isinstance(binding.node, ast.arg):
        return _kind_of_annotation(binding.node.annotation, scope)
    if binding.kind in ("value", "update") and binding.index is None:
        return kind_of(binding.value, scope, depth + 1)
    if binding.kind == "item":
        return kind_of_item(binding, scope, depth)
    return Kind.UNKNOWN


def kind_of_item(binding: Binding, scope: Scope, depth: int = 0) -> Kind:
    """The kind of a loop variable."""
    iterable = binding.value
    if isinstance(iterable, ast.Call):
        called = dotted_name(iterable.func, scope)
        if called == "builtins.range" and binding.index is None:
            kinds = [kind_of(argument, scope, depth + 1) for argument in iterable.args]
            return Kind.TENSOR if tensor_like(kinds) else Kind.NUMBER
        if called == "builtins.enumerate":
            return Kind.NUMBER if binding.index == 0 else Kind.UNKNOWN
    if binding.index is None and kind_of(iterable, scope, depth + 1) is Kind.TENSOR:
        return Kind.TENSOR
    return Kind.UNKNOWN


def _kind_of_annotation(annotation: ast.expr | None, scope: Scope) -> Kind:
    name = dotted_name(annotation, scope) if annotation is not None else None
    if name in TENSOR_ANNOTATIONS:
        return Kind.TENSOR
    if name in ("builtins.int", "builtins.float"):
        return Kind.NUMBER
    if name == "builtins.str":
        return Kind.TEXT
    if name == "tensorflow.Variable":
        return Kind.VARIABLE
    return Kind.DATASET if name == "tensorflow.data.Dataset" else Kind.UNKNOWN


def _kind_of_call(node: ast.Call, scope: Scope, depth: int) -> Kind:
    name = dotted_name(node.func, scope)
    if name is None:
        return _kind_of_method_call(node, scope, depth)
    if name in TENSOR_FUNCTIONS or name.startswith(TENSOR_MODULES):
        return Kind.TENSOR
    if name == "tensorflow.Variable":
        return Kind.VARIABLE
    if name == "tensorflow.TensorArray":
        return Kind.TENSOR_ARRAY
    if name.startswith("tensorflow.data.Dataset."):
        return Kind.DATASET
    if name in NUMBER_FUNCTIONS:
        kinds = [kind_of(argument, scope, depth + 1) for argument in node.args]
        return Kind.UNKNOWN if tensor_like(kinds) else Kind.NUMBER
    if name == "builtins.list":
        return Kind.LIST
    return Kind.ARRAY if name in ("numpy.array", "numpy.zeros", "numpy.ones") else Kind.UNKNOWN


DATASET_METHODS = {
    "batch", "cache", "concatenate", "enumerate", "filter", "interleave", "map", "padded_batch",
    "prefetch", "repeat", "shuffle", "skip", "take", "unbatch", "window", "with_options", "zip",
}  # fmt: skip


def _kind_of_method_call(node: ast.Call, scope: Scope, depth: int) -> Kind:
    if not isinstance(node.func, ast.Attribute):
        return Kind.UNKNOWN
    owner = kind_of(node.func.value, scope, depth + 1)
    method = node.func.attr
    if owner is Kind.TENSOR_ARRAY:
        if method in ("write", "unstack", "scatter", "split", "identity"):
            return Kind.TENSOR_ARRAY
        return Kind.TENSOR if method in ("read", "stack", "concat", "gather", "size") else Kind.UNKNOWN
    if owner is Kind.DATASET and method in DATASET_METHODS:
        return Kind.DATASET
    if owner is Kind.VARIABLE and method in ("read_value", "value"):
        return Kind.TENSOR
    return Kind.UNKNOWN


def _kind_of_attribute(node: ast.Attribute, scope: Scope, depth: int) -> Kind:
    owner = kind_of(node.value, scope, depth + 1)
    if owner in (Kind.TENSOR, Kind.VARIABLE, Kind.ARRAY) and node.attr == "shape":
        return Kind.SHAPE
    return Kind.TENSOR if owner is Kind.TENSOR and node.attr == "T" else Kind.UNKNOWN


def _kind_of_item(owner: Kind) -> Kind:
    if owner in (Kind.TENSOR, Kind.VARIABLE):
        return Kind.TENSOR
    return Kind.UNKNOWN


def _join_operands(left: Kind, right: Kind) -> Kind:
    if tensor_like([left, right]):
        return Kind.TENSOR
    return Kind.NUMBER if left is right is Kind.NUMBER else Kind.UNKNOWN
