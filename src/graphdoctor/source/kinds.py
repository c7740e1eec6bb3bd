"""Expressions → what kind of value they have, where that is certain."""

import ast

from graphdoctor.source.classes import class_of_instance
from graphdoctor.source.flow import is_narrowed, reaching_bindings
from graphdoctor.source.functions import Function, resolve_function
from graphdoctor.source.kind import Kind
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Binding, Scope
from graphdoctor.source.signatures import signatures

LONGEST_CHAIN = 12
MOST_STEPS = 2000
__all__ = ["Kind", "kind_of", "kind_of_annotation", "kind_of_binding", "kind_of_item", "tensor_like"]


SYMBOLIC = (Kind.TENSOR, Kind.VARIABLE)
NUMBER_FUNCTIONS = {f"builtins.{name}" for name in ("int", "float", "len", "round", "abs", "sum", "bool")}
ANNOTATIONS = {
    "tensorflow.Tensor": Kind.TENSOR,
    "tensorflow.types.experimental.TensorLike": Kind.UNKNOWN,
    "builtins.int": Kind.NUMBER,
    "builtins.float": Kind.NUMBER,
    "builtins.bool": Kind.NUMBER,
    "builtins.str": Kind.TEXT,
    "tensorflow.Variable": Kind.VARIABLE,
    "tensorflow.data.Dataset": Kind.DATASET,
    "tensorflow.TensorArray": Kind.TENSOR_ARRAY,
    "numpy.ndarray": Kind.ARRAY,
}
ARRAYS = {
    f"numpy.{name}"
    for name in (
        "array",
        "asarray",
        "zeros",
        "ones",
        "arange",
        "linspace",
        "eye",
        "full",
        "load",
        "random.rand",
    )
}
LAYERS = ("keras.layers.", "keras.Sequential", "keras.Model", "keras.models.", "keras.applications.")
PLAIN_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def kind_of(node: ast.expr | None, scope: Scope, depth: int = 0) -> Kind:
    """The kind of an expression's value; UNKNOWN unless certain."""
    if node is None or scope.home is None:
        return Kind.UNKNOWN
    memory = scope.home.project.memory
    if node in memory.kinds:
        return memory.kinds[node]
    memory.steps = memory.steps + 1 if memory.pending else 0
    if depth > LONGEST_CHAIN or memory.steps > MOST_STEPS:
        memory.cuts += 1
        return Kind.UNKNOWN
    if node in memory.pending:  # it depends on itself, by way of a loop: the other ways decide
        memory.cuts += 1
        return Kind.PENDING
    before = memory.cuts
    memory.pending.add(node)
    kind = _kind_of(node, scope, depth)
    memory.pending.discard(node)
    if memory.cuts == before:
        memory.kinds[node] = kind
    return Kind.UNKNOWN if kind is Kind.PENDING and not memory.pending else kind


def _kind_of(node: ast.expr, scope: Scope, depth: int) -> Kind:
    if isinstance(node, ast.Constant):
        return _kind_of_constant(node.value)
    if isinstance(node, ast.Name):
        return _kind_of_name(node, scope, depth)
    if isinstance(node, ast.Call):
        return _kind_of_call(node, scope, depth)
    if isinstance(node, ast.BinOp):
        return _kind_of_arithmetic(node, scope, depth)
    if isinstance(node, ast.UnaryOp):
        kind = kind_of(node.operand, scope, depth + 1)
        if isinstance(node.op, ast.Not):  # AutoGraph gives a tensor; elsewhere it raises
            return Kind.TENSOR if kind in SYMBOLIC else Kind.UNKNOWN
        return Kind.TENSOR if kind in SYMBOLIC else kind
    if isinstance(node, ast.BoolOp):
        kinds = [kind_of(value, scope, depth + 1) for value in node.values]
        return Kind.TENSOR if any(kind in SYMBOLIC for kind in kinds) else Kind.UNKNOWN
    if isinstance(node, ast.Compare):
        return _kind_of_comparison(node, scope, depth)
    if isinstance(node, ast.Attribute):
        return _kind_of_attribute(node, scope, depth)
    if isinstance(node, ast.Subscript):
        return _kind_of_item(node, scope, depth)
    if isinstance(node, ast.IfExp):
        return _join({kind_of(node.body, scope, depth + 1), kind_of(node.orelse, scope, depth + 1)})
    if isinstance(node, ast.NamedExpr):
        return kind_of(node.value, scope, depth + 1)
    return DISPLAYS.get(type(node), Kind.UNKNOWN)


DISPLAYS: dict[type, Kind] = {
    ast.List: Kind.LIST,
    ast.ListComp: Kind.LIST,
    ast.Tuple: Kind.TUPLE,
    ast.Dict: Kind.DICT,
    ast.DictComp: Kind.DICT,
    ast.JoinedStr: Kind.TEXT,
}


def tensor_like(kinds: list[Kind]) -> bool:
    """Whether an operation on these gives a tensor."""
    return any(kind in SYMBOLIC for kind in kinds)


def _join(kinds: set[Kind]) -> Kind:
    """The kind of a value that is one of these."""
    kinds = kinds - {Kind.PENDING} or kinds
    if len(kinds) == 1:
        return kinds.pop()
    if kinds == {Kind.TENSOR, Kind.TENSORS}:
        return Kind.TENSORS
    return Kind.UNKNOWN


def _kind_of_constant(value: object) -> Kind:
    if value is None:
        return Kind.NONE
    if isinstance(value, bool | int | float | complex):
        return Kind.NUMBER
    return Kind.TEXT if isinstance(value, str | bytes) else Kind.UNKNOWN


def _kind_of_name(node: ast.Name, scope: Scope, depth: int) -> Kind:
    found = reaching_bindings(node, scope)
    if found is None:
        return Kind.UNKNOWN
    owner, bindings = found
    if is_narrowed(node, bindings, scope):
        return Kind.UNKNOWN
    kinds = {kind_of_binding(binding, owner, depth) for binding in bindings if binding.kind != "update"}
    updates = {kind_of_binding(binding, owner, depth) for binding in bindings if binding.kind == "update"}
    if kinds - {Kind.PENDING} == {Kind.TENSOR} or (not kinds and Kind.TENSOR in updates):
        return Kind.TENSOR  # whatever is added to a tensor, the sum is one
    return _join(kinds | updates)


def kind_of_binding(binding: Binding, scope: Scope, depth: int = 0) -> Kind:
    """The kind of value that one binding gives its name."""
    if depth > LONGEST_CHAIN:
        return Kind.UNKNOWN
    if binding.kind == "parameter" and isinstance(binding.node, ast.arg):
        return _kind_of_parameter(binding.node, scope, depth)
    if binding.kind in ("value", "update"):
        if binding.kind == "value" and isinstance(binding.node, ast.AnnAssign):
            annotated = kind_of_annotation(binding.node.annotation, scope)
            if annotated is not Kind.UNKNOWN:
                return annotated
        if binding.index is not None:
            return _kind_of_element(binding.value, binding.index, scope, depth)
        if binding.kind == "update" and isinstance(binding.node, ast.AugAssign):
            return _kind_of_update(binding.node, scope, depth)
        return kind_of(binding.value, scope, depth + 1)
    if binding.kind == "item":
        return kind_of_item(binding, scope, depth)
    return Kind.UNKNOWN


def _kind_of_update(node: ast.AugAssign, scope: Scope, depth: int) -> Kind:
    """`x += y`: a tensor when y is one, and otherwise no more is known than of y."""
    return kind_of(node.value, scope, depth + 1)


def _kind_of_element(value: ast.expr | None, index: int, scope: Scope, depth: int) -> Kind:
    """The kind of one of several names that a value is taken apart into."""
    if isinstance(value, ast.Tuple | ast.List):
        plain = not any(isinstance(element, ast.Starred) for element in value.elts)
        return (
            kind_of(value.elts[index], scope, depth + 1)
            if plain and index < len(value.elts)
            else Kind.UNKNOWN
        )
    if isinstance(value, ast.Call):
        function = resolve_function(value.func, scope)
        if function is not None:
            return _kind_of_result(function, depth, index)
    kind = kind_of(value, scope, depth + 1)
    return kind if kind in (Kind.TENSOR, Kind.TENSORS) else Kind.UNKNOWN


def _kind_of_parameter(node: ast.arg, scope: Scope, depth: int) -> Kind:
    """What the annotation says; else what every known call of the function gives."""
    arguments = getattr(scope.node, "args", None)
    if arguments is not None and node in (arguments.vararg, arguments.kwarg):
        return Kind.TUPLE if node is arguments.vararg else Kind.DICT  # the annotation is of each item
    kind = kind_of_annotation(node.annotation, scope)
    collected = getattr(scope.node, "args", None)
    if collected is not None and node in (collected.vararg, collected.kwarg):
        # `*parts: tf.Tensor` is a tuple of tensors.
        return Kind.TENSORS if kind is Kind.TENSOR and node is collected.vararg else Kind.UNKNOWN
    home = scope.home
    if home is None or home.project.context is None:
        return kind
    given = home.project.context.kind_of_parameter(node, scope, depth + 1)
    if given is Kind.TENSORS:  # people write `tf.Tensor` for tuples of tensors as well
        return given
    return kind if kind is not Kind.UNKNOWN else given


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
    kind = kind_of(iterable, scope, depth + 1)
    if kind is Kind.DATASET:
        return Kind.TENSORS
    return Kind.TENSOR if binding.index is None and kind is Kind.TENSOR else Kind.UNKNOWN


def kind_of_annotation(annotation: ast.expr | None, scope: Scope) -> Kind:
    """The kind that a type annotation names."""
    if annotation is None:
        return Kind.UNKNOWN
    name = dotted_name(annotation, scope)
    return ANNOTATIONS.get(name, Kind.UNKNOWN) if name else Kind.UNKNOWN


def _kind_of_call(node: ast.Call, scope: Scope, depth: int) -> Kind:
    name = dotted_name(node.func, scope)
    if name is None:
        return _kind_of_method_call(node, scope, depth)
    if name in signatures().tensor:
        return Kind.TENSOR
    if name == "tensorflow.Variable":
        return Kind.VARIABLE
    if name == "tensorflow.TensorArray":
        return Kind.TENSOR_ARRAY
    if name.startswith("tensorflow.data.") and name.rpartition(".")[2] in DATASET_SOURCES:
        return Kind.DATASET
    if name in NUMBER_FUNCTIONS:
        kinds = [kind_of(argument, scope, depth + 1) for argument in node.args]
        known = not (tensor_like(kinds) or Kind.TENSORS in kinds or Kind.UNKNOWN in kinds)
        return Kind.NUMBER if known or name == "builtins.len" else Kind.UNKNOWN
    if name.startswith(LAYERS) and name.rpartition(".")[2][:1].isupper():
        return Kind.LAYER
    if name == "builtins.list":
        return Kind.LIST
    if name in ("builtins.dict", "collections.OrderedDict", "collections.defaultdict"):
        return Kind.DICT
    if name in ARRAYS:
        return Kind.ARRAY
    return _kind_of_project_call(node, scope, depth)


def _kind_of_project_call(node: ast.Call, scope: Scope, depth: int) -> Kind:
    function = resolve_function(node.func, scope)
    return _kind_of_result(function, depth) if function is not None else Kind.UNKNOWN


def _kind_of_result(function: Function, depth: int, index: int | None = None) -> Kind:
    """The kind of what a function of the project returns (or of one element of the tuple it returns)."""
    if getattr(function.node, "decorator_list", []) and function.node not in function.home.traced:
        return Kind.UNKNOWN
    if isinstance(function.node, ast.Lambda):
        values: list[ast.expr | None] = [function.node.body]
    else:
        values = [statement.value for statement in function.returns]
    if depth > LONGEST_CHAIN // 2 or not values:
        return Kind.UNKNOWN
    if index is None:
        return _join({kind_of(value, function.scope, depth + 1) if value else Kind.NONE for value in values})
    return _join({_kind_of_element(value, index, function.scope, depth + 1) for value in values})


DATASET_SOURCES = {
    "from_tensor_slices", "from_tensors", "range", "zip", "list_files", "from_generator", "load",
    "sample_from_datasets", "choose_from_datasets", "random", "TFRecordDataset", "TextLineDataset",
    "FixedLengthRecordDataset",
}  # fmt: skip
DATASET_METHODS = {
    "batch", "cache", "concatenate", "enumerate", "filter", "flat_map", "interleave", "map",
    "padded_batch", "prefetch", "repeat", "shuffle", "skip", "take", "unbatch", "window", "with_options",
    "zip", "shard", "take_while", "scan", "ragged_batch", "rebatch", "bucket_by_sequence_length",
    "group_by_window", "ignore_errors", "apply",
}  # fmt: skip
ARRAY_METHODS = {
    "write": Kind.TENSOR_ARRAY, "unstack": Kind.TENSOR_ARRAY, "scatter": Kind.TENSOR_ARRAY,
    "split": Kind.TENSOR_ARRAY, "identity": Kind.TENSOR_ARRAY, "read": Kind.TENSOR,
    "stack": Kind.TENSOR, "concat": Kind.TENSOR, "gather": Kind.TENSOR, "size": Kind.TENSOR,
}  # fmt: skip


def _kind_of_method_call(node: ast.Call, scope: Scope, depth: int) -> Kind:
    found = _kind_of_project_call(node, scope, depth)
    if found is not Kind.UNKNOWN:
        return found
    if kind_of(node.func, scope, depth + 1) is Kind.LAYER:
        return Kind.TENSORS
    if not isinstance(node.func, ast.Attribute):
        return Kind.UNKNOWN
    owner = kind_of(node.func.value, scope, depth + 1)
    method = node.func.attr
    if owner is Kind.TENSOR_ARRAY:
        return ARRAY_METHODS.get(method, Kind.UNKNOWN)
    if owner is Kind.DATASET and method in DATASET_METHODS:
        return Kind.DATASET
    if owner is Kind.VARIABLE and method in ("read_value", "value"):
        return Kind.TENSOR
    if owner is Kind.TEXT and method in ("format", "join", "lower", "upper", "strip", "replace"):
        return Kind.TEXT
    return Kind.SHAPE if owner is Kind.TENSOR and method == "get_shape" else Kind.UNKNOWN


def _kind_of_attribute(node: ast.Attribute, scope: Scope, depth: int) -> Kind:
    owner = kind_of(node.value, scope, depth + 1)
    if owner in (Kind.TENSOR, Kind.TENSORS, Kind.VARIABLE, Kind.ARRAY) and node.attr == "shape":
        return Kind.SHAPE
    if owner is Kind.TENSOR and node.attr == "T":
        return Kind.TENSOR
    return _kind_of_stored(node, scope, depth) if owner is Kind.UNKNOWN else Kind.UNKNOWN


def _kind_of_stored(node: ast.Attribute, scope: Scope, depth: int) -> Kind:
    """The kind of `self.weight`, when every assignment of it gives the same."""
    owner = class_of_instance(node.value, scope)
    stores = owner.stores(node.attr) if owner is not None else []
    kinds = set()
    for store in stores:
        if isinstance(store.node, ast.AugAssign):
            continue
        if store.value is None or store.index is not None:
            return Kind.UNKNOWN
        if isinstance(store.value, ast.Constant) and store.value.value is None:
            continue  # `self.weight = None` stands in `__init__` for what `build` makes
        if isinstance(store.value, ast.Call) and _makes_weight(store.value):
            kinds.add(Kind.VARIABLE)
        else:
            kinds.add(kind_of(store.value, store.scope, depth + 1))
    return _join(kinds) if kinds else Kind.UNKNOWN


def _makes_weight(call: ast.Call) -> bool:
    target = call.func
    return isinstance(target, ast.Attribute) and target.attr in ("add_weight", "add_variable")


def _kind_of_item(node: ast.Subscript, scope: Scope, depth: int) -> Kind:
    owner = kind_of(node.value, scope, depth + 1)
    if owner in SYMBOLIC:
        return Kind.TENSOR
    if owner is Kind.SHAPE and isinstance(node.slice, ast.Slice):
        return Kind.SHAPE
    if owner is Kind.UNKNOWN and kind_of(node.slice, scope, depth + 1) is Kind.TENSOR:
        return Kind.TENSOR  # only tensors can be asked for the item at a tensor; all else raises
    return Kind.TENSORS if owner is Kind.TENSORS else Kind.UNKNOWN


def _kind_of_comparison(node: ast.Compare, scope: Scope, depth: int) -> Kind:
    kinds = [kind_of(operand, scope, depth + 1) for operand in (node.left, *node.comparators)]
    if not all(isinstance(operator, PLAIN_COMPARISONS) for operator in node.ops):
        return Kind.NUMBER if not any(isinstance(op, ast.In | ast.NotIn) for op in node.ops) else Kind.UNKNOWN
    if Kind.NONE in kinds:
        return Kind.UNKNOWN
    ordered = all(isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for op in node.ops)
    if tensor_like(kinds) or (Kind.TENSORS in kinds and ordered):
        return Kind.TENSOR
    return Kind.NUMBER if all(kind in (Kind.NUMBER, Kind.TEXT) for kind in kinds) else Kind.UNKNOWN


def _kind_of_arithmetic(node: ast.BinOp, scope: Scope, depth: int) -> Kind:
    left, right = kind_of(node.left, scope, depth + 1), kind_of(node.right, scope, depth + 1)
    if left is Kind.TEXT and isinstance(node.op, ast.Mod | ast.Add):
        return Kind.TEXT
    if tensor_like([left, right]):
        return Kind.TENSOR
    if Kind.PENDING in (left, right):
        return Kind.PENDING
    if Kind.TENSORS in (left, right):  # a list of tensors may be joined with `+`, or repeated with `*`
        other = right if left is Kind.TENSORS else left
        arithmetic = not isinstance(node.op, ast.Add | ast.Mult)
        return Kind.TENSOR if arithmetic or other in (Kind.NUMBER, Kind.ARRAY) else Kind.TENSORS
    if Kind.ARRAY in (left, right) and Kind.UNKNOWN not in (left, right):
        return Kind.ARRAY
    return Kind.NUMBER if left is right is Kind.NUMBER else Kind.UNKNOWN
