"""What a value is to TensorFlow: tensor, variable, of which graph, with which dtype and shape."""

from typing import Any

from graphdoctor.observer.objects.describe import module_of


def tensor_fields(value: Any) -> tuple[str, str, tuple[int | None, ...] | None] | None:
    """Kind (tensor, variable, array), dtype and shape of a tensor of any sort; None for other values."""
    from tensorflow.python.framework import tensor
    from tensorflow.python.ops import variables

    names = {module_of(base).partition(".")[0] + "." + base.__name__ for base in type(value).__mro__}
    if isinstance(value, tensor.Tensor):
        kind = "tensor"
    elif isinstance(value, variables.Variable) or "keras.Variable" in names:
        kind = "variable"
    elif names & {"keras.KerasTensor", "tensorflow.RaggedTensor", "tensorflow.SparseTensor"}:
        kind = "tensor"
    elif "numpy.ndarray" in names:
        return "array", str(value.dtype), tuple(value.shape)
    else:
        return None
    shape = getattr(value, "shape", None)
    rank = getattr(shape, "rank", len(shape) if isinstance(shape, tuple) else None)
    dtype = getattr(value.dtype, "name", str(value.dtype))
    return kind, dtype, None if shape is None or rank is None else tuple(shape)


def is_symbolic(value: Any) -> bool:
    """Whether a value is a tensor of a graph."""
    from tensorflow.python.framework import ops, tensor

    return isinstance(value, tensor.Tensor) and not isinstance(value, ops.EagerTensor)


def is_static(value: Any) -> bool:
    """Whether a value is a shape or a dtype."""
    return type(value).__name__ in ("TensorShape", "DType", "Dimension")


def belongs_to(value: Any, graph: Any) -> bool:
    """Whether a value is a symbolic tensor of this graph, or of a graph inside it (a loop's, a branch's)."""
    from tensorflow.python.framework import ops, tensor

    if not isinstance(value, tensor.Tensor) or isinstance(value, ops.EagerTensor):
        return False
    own = value.graph
    while own is not None and own is not graph:
        own = getattr(own, "outer_graph", None)
    return own is graph


def tensor_name(tensor: Any) -> str:
    """A symbolic tensor's name in its graph: `mul:0`."""
    return str(tensor.name)


def concrete_shapes(inputs: Any) -> str | None:
    """The shapes of eager inputs as a text; None while another function is being traced."""
    shapes = []
    for tensor in inputs:
        if not hasattr(tensor, "_shape_tuple") or not hasattr(tensor, "_numpy_internal"):
            return None
        shapes.append(tensor._shape_tuple())
    return ", ".join(str(list(shape)) for shape in shapes)


def small_content(value: Any, most_bytes: int) -> object:
    """The bytes of a small eager tensor in the memory of the processor; None for others and for variables."""
    from tensorflow.python.framework import ops

    if not isinstance(value, ops.EagerTensor) or "CPU" not in (value.device or "CPU"):
        return None
    if value.dtype.size <= 0 or value.shape.num_elements() * value.dtype.size > most_bytes:
        return None
    return str(value.dtype), tuple(value.shape), value.numpy().tobytes()
