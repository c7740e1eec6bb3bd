"""Dtypes and shapes of what tensors are made from and combined with."""

from graphdoctor.dryrun.libraries.tables.dtypes import named
from graphdoctor.dryrun.values import (
    AbstractNumber,
    Array,
    Constant,
    Dimension,
    DType,
    KerasTensor,
    Numeric,
    Sequence,
    Shape,
    StaticShape,
    Tensor,
    Value,
    Variable,
    unknown_size,
)
from graphdoctor.dryrun.values.joining import python_type

FLOATS = frozenset(("float16", "bfloat16", "float32", "float64", "complex64", "complex128"))
WIDTHS = ("bool", "int32", "int64", "float16", "float32", "float64")
SMALL_INTEGERS = frozenset(("int8", "uint8", "int16", "uint16"))
INTEGERS = frozenset(("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"))
OF_PYTHON = {"int": "int32", "float": "float32", "bool": "bool", "str": "string", "complex": "complex128"}
OF_NUMPY = {"int": "int64", "float": "float64", "bool": "bool", "str": "string", "complex": "complex128"}


def dtype_of(value: Value) -> str | None:
    """The dtype that a value has, or gets when TensorFlow makes a tensor of it; None: not known."""
    if isinstance(value, (Numeric, Variable)):
        return value.dtype
    if isinstance(value, Sequence):
        found = {dtype_of(item) for item in value.members}
        if found == {"int32", "float32"}:
            return "float32"
        if found == {"int32", "int64"} and all(python_type(item) for item in value.members):
            return "int64"
        return found.pop() if len(found) == 1 else None
    if is_wide(value):
        return "int64"
    return OF_PYTHON.get(python_type(value))


def is_wide(value: Value) -> bool:
    """Whether it is a whole number of Python's that 32 bits do not hold."""
    return value.__class__ is Constant and type(value.value) is int and not -(2**31) <= value.value < 2**31


def merged_shape(known: Shape, given: Shape) -> Shape:
    """What is known of a shape together with what is said of it: what is left open there stays as it was."""
    if known is None or given is None or len(known) != len(given):
        return known if given is None else given
    return tuple(before if size is None else size for before, size in zip(known, given, strict=True))


def shape_of(value: Value) -> Shape:
    """The shape of a value as a tensor; None: not known."""
    if value.__class__ is Tensor:
        return value.shape
    if isinstance(value, (Numeric, Variable)):
        return value.shape
    if python_type(value):
        return ()
    if isinstance(value, Sequence) and value.items is not None:
        inner = {shape_of(item) for item in value.items}
        if not inner:
            return (0,)
        only = inner.pop()
        return None if inner or only is None else (len(value.items), *only)
    if isinstance(value, Sequence) and value.cells["element"] is not None:
        inner_shape = shape_of(value.cells["element"])
        size: Dimension = value.count if value.count is not None else AbstractNumber("int", value.grows)
        return None if inner_shape is None else (size, *inner_shape)
    return None


def is_float(dtype: str | None) -> bool:
    """Whether gradients flow through this dtype."""
    return dtype in FLOATS


def dtype_named(value: Value | None, library: str = "tensorflow") -> str | None:
    """The dtype that a `dtype=` argument names: `tf.float32`, `"float32"`, `np.int64`, `float`."""
    if isinstance(value, DType):
        return "string" if value.name == "str_" else value.name
    if isinstance(value, Constant) and isinstance(value.value, str):
        return named(value.value, library)
    from graphdoctor.dryrun.values import Library

    if isinstance(value, Library) and value.name.startswith("builtins."):
        return named(value.name.removeprefix("builtins."), library)
    return None


def dtype_given(value: Value, otherwise: str | None, library: str = "tensorflow") -> str | None:
    """The dtype of a `dtype=` argument: `otherwise` where there is none, None if unknown."""
    return otherwise if isinstance(value, Constant) and value.value is None else dtype_named(value, library)


def shape_given(value: Value) -> Shape:
    """The shape that a `shape=` argument says: `[3, None]`, `(n,)`, `x.shape`, `tf.shape(x)`, `5`."""
    if isinstance(value, StaticShape):
        return value.dimensions
    if isinstance(value, Sequence) and value.items is not None:
        return tuple(dimension_given(item) for item in value.items)
    if isinstance(value, Constant) and isinstance(value.value, int):
        return (value.value,)
    if isinstance(value, AbstractNumber) and value.type == "int":
        return (value,)
    if isinstance(value, Array) and value.shape == ():
        return (dimension_given(value),)
    if isinstance(value, Tensor) and isinstance(value.constant, StaticShape):
        return value.constant.dimensions
    return None


def dimension_given(value: Value) -> Dimension:
    """The size that a value says; a tensor's is open."""
    if isinstance(value, Constant):
        return value.value if isinstance(value.value, int) else None
    if isinstance(value, AbstractNumber):
        return value if value.type in ("int", "number") else AbstractNumber("int", value.varies)
    if isinstance(value, Tensor):
        if isinstance(value.constant, Constant) and isinstance(value.constant.value, int):
            return value.constant.value
        return None if value.graph is not None else AbstractNumber("int", frozenset(value.origin.loops))
    if isinstance(value, Array) and value.shape == ():
        return AbstractNumber("int", value.varies, value.few, term=value.term)
    return unknown_size(value.varies)


def broadcast(shapes: list[Shape]) -> Shape:
    """The shape of what is computed element by element; None when one is not known."""
    if any(shape is None for shape in shapes) or not shapes:
        return None
    known = [shape for shape in shapes if shape is not None]
    rank = max(map(len, known))
    padded = [(1,) * (rank - len(shape)) + shape for shape in known]
    return tuple(_broadcast_dimension(sizes) for sizes in zip(*padded, strict=True))


def _broadcast_dimension(sizes: tuple[Dimension, ...]) -> Dimension:
    larger = [size for size in sizes if size != 1]
    for size in larger:
        if isinstance(size, int):
            return size
    unknown = [size for size in larger if isinstance(size, AbstractNumber)]
    if unknown:
        return unknown[0]
    return None if larger else 1


def mixed_dtype(values: list[Value]) -> str | None:
    """The dtype of an operation on tensors and Python numbers: the tensors' own."""
    tensors = [v.dtype for v in values if isinstance(v, (Tensor, Variable, KerasTensor))]
    if tensors:
        # Tensors of two dtypes raise; in a staged loop the start is to blame, so the wider one shows.
        known = [d for d in tensors if d is not None]
        widest = max(known, key=lambda d: WIDTHS.index(d) if d in WIDTHS else -1, default=None)
        if widest in INTEGERS and None in tensors:
            return None  # the start of a staged loop may be to blame here as well
        floats = any(python_type(v) == "float" for v in values)
        return "float32" if floats and widest in INTEGERS else widest
    arrays = [v.dtype for v in values if isinstance(v, Array)]
    if arrays:
        if any(
            isinstance(v, Sequence) or not isinstance(getattr(v, "value", 0), float | int) for v in values
        ):
            return None  # NumPy makes an array of a list, with a dtype of its own; a complex number widens
        if "float64" in arrays:
            return "float64"
        found = set(arrays)
        kinds = {python_type(v) for v in values}
        if len(found) == 1:
            only = found.pop()
            if "float" in kinds and (only in INTEGERS or only == "bool"):
                return "float64"
            return "int64" if only == "bool" and "int" in kinds else only
        return None
    return None


def divided_dtype(values: list[Value], mixed: str | None) -> str | None:
    """The dtype of `x / y` where arithmetic gives `mixed`: whole numbers give a float (run on 2.21)."""
    if any(isinstance(value, KerasTensor) for value in values):
        return "float32" if mixed in INTEGERS else mixed
    if any(isinstance(value, (Tensor, Variable)) for value in values):
        return "float32" if mixed in SMALL_INTEGERS else "float64" if mixed in INTEGERS else mixed
    return "float64" if mixed in INTEGERS or mixed == "bool" else mixed
