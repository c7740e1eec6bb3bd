"""Keras: the shape of what a layer or model gives."""

import math
from collections.abc import Callable
from typing import Final

from graphdoctor.dryrun.control.conditions import truth
from graphdoctor.dryrun.libraries.tables.names import names
from graphdoctor.dryrun.values import (
    FALSE,
    AbstractNumber,
    Constant,
    Dimension,
    KerasTensor,
    LibraryObject,
    Sequence,
    Shape,
    Value,
    is_none,
    known_int,
    longer,
    unknown_size,
)
from graphdoctor.dryrun.values.dtypes import shape_of

SAME_SHAPE = names("layers that keep the shape")
MERGING: Final = ("Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum")
Sizes = tuple[Dimension, ...]


def output_shape(layer: LibraryObject, given: Value) -> Shape:
    """The shape that a layer gives for what it is given; None if unknown."""
    name = layer.name.rpartition(".")[2]
    if layer.kind == "model":
        return _of_model(layer, given)
    if isinstance(given, Sequence) and (name in MERGING or name == "Concatenate"):
        shapes = [shape_of(each) for each in given.items or ()]
        return _merged(layer, name, [each for each in shapes if each is not None], len(shapes))
    shape = shape_of(given)
    if name == "TextVectorization":
        return _words_of(layer, given, shape)
    if not shape or isinstance(given, Sequence):
        return None
    if name in SAME_SHAPE:
        return shape
    rule = RULES.get(name) or RULES.get(name[:-2])  # `Conv2D`: `Conv`, whatever its rank
    refused = name[-1:] == "D" and name[-2:-1].isdigit() and len(shape) != int(name[-2]) + 2
    if rule is None or refused or _says_channels_first(layer):
        return None
    return rule(layer, shape)


def _of_model(model: LibraryObject, given: Value) -> Shape:
    """That of its layers one after the other, or of the one output that it was made with."""
    output, inside = model.cells.get("output"), model.cells.get("inside")
    shape = None if isinstance(given, Sequence) else shape_of(given)
    if isinstance(output, KerasTensor) and output.shape:
        first = output.shape[0] if output.shape[0] is not None else shape[0] if shape else unknown_size()
        return (first, *(unknown_size() if size is None else size for size in output.shape[1:]))
    layers = inside.items if isinstance(inside, Sequence) else None
    if shape is None or not layers or not model.name.endswith("Sequential"):
        return None
    value: Value = given
    for layer in layers:
        if not isinstance(layer, LibraryObject) or shape is None:
            return None
        if not layer.name.endswith("Input") and not layer.name.endswith("InputLayer"):
            shape = output_shape(layer, value)
            value = KerasTensor(None, shape, layer.origin)
    return shape


def _says_channels_first(layer: LibraryObject) -> bool:
    said = layer.arguments.get("data_format")
    return said is not None and not is_none(said) and getattr(said, "value", "") != "channels_last"


def _argument(layer: LibraryObject, position: int, name: str) -> Value | None:
    return layer.arguments.get(position) or layer.arguments.get(name)


def _number(value: Value | None) -> Dimension:
    """A size that an argument says."""
    if isinstance(value, Constant) and isinstance(value.value, int):
        return value.value
    return value if isinstance(value, AbstractNumber) and value.type == "int" else unknown_size()


def _numbers(value: Value | None, rank: int, default: int | None = None) -> list[int | None]:
    """One number for each axis; None for those that are unknown."""
    if value is None or is_none(value):
        return [default] * rank
    if isinstance(value, Sequence):
        given = [item.value if isinstance(item, Constant) else None for item in value.items or ()]
        numbers = [each if isinstance(each, int) else None for each in given]
        return numbers if len(numbers) == rank else [None] * rank
    return [known_int(value)] * rank


def _units(layer: LibraryObject, shape: Sizes) -> Shape:
    return (*shape[:-1], _number(_argument(layer, 0, "units")))


def _embedded(layer: LibraryObject, shape: Sizes) -> Shape:
    return (*shape, _number(_argument(layer, 1, "output_dim")))


def _convolved(layer: LibraryObject, shape: Sizes) -> Shape:
    return _slid(layer, shape, 1, _number(_argument(layer, 0, "filters")))


def _depthwise(layer: LibraryObject, shape: Sizes) -> Shape:
    (times,) = _numbers(layer.arguments.get("depth_multiplier") or layer.arguments.get(3), 1, 1)
    channels = shape[-1] * times if isinstance(shape[-1], int) and times is not None else unknown_size()
    return _slid(layer, shape, 0, channels)


def _slid(layer: LibraryObject, shape: Sizes, first: int, channels: Dimension) -> Shape:
    """A kernel that goes over the axes between the batch and the channels; `first` is its argument."""
    rank = len(shape) - 2
    kernel = _numbers(_argument(layer, first, "kernel_size"), rank)
    strides = _numbers(_argument(layer, first + 1, "strides"), rank, 1)
    dilation = _numbers(layer.arguments.get("dilation_rate"), rank, 1)
    spans = [
        None if k is None or d is None else (k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True)
    ]
    padding = _argument(layer, first + 2, "padding")
    return (shape[0], *_windows(shape[1:-1], spans, strides, padding), channels)


def _pooled(layer: LibraryObject, shape: Sizes) -> Shape:
    rank = len(shape) - 2
    pool = _numbers(_argument(layer, 0, "pool_size"), rank, 2)
    strides = _argument(layer, 1, "strides")
    steps = pool if strides is None or is_none(strides) else _numbers(strides, rank)
    return (shape[0], *_windows(shape[1:-1], pool, steps, _argument(layer, 2, "padding")), shape[-1])


def _windows(sizes: Sizes, spans: list[int | None], steps: list[int | None], padding: Value | None) -> Sizes:
    """How many windows there are along each axis."""
    text = "valid" if padding is None else padding.value if isinstance(padding, Constant) else None
    spread = text in ("same", "causal")
    if not spread and text != "valid":
        return tuple(unknown_size() for _ in sizes)
    return tuple(
        _counted(size, 1 if spread else span, step)
        for size, span, step in zip(sizes, spans, steps, strict=True)
    )


def _counted(size: Dimension, span: int | None, step: int | None) -> Dimension:
    if size is None:
        return None
    if span is None or step is None or step < 1:
        return unknown_size()
    if isinstance(size, int):
        return (size - span) // step + 1 if size >= span else unknown_size()
    return size if step == span == 1 else longer(size, 1 - span) if step == 1 else unknown_size(size.varies)


def _transposed(layer: LibraryObject, shape: Sizes) -> Shape:
    rank = len(shape) - 2
    kernel = _numbers(_argument(layer, 1, "kernel_size"), rank)
    strides = _numbers(_argument(layer, 2, "strides"), rank, 1)
    padding = _argument(layer, 3, "padding")
    text = "valid" if padding is None else padding.value if isinstance(padding, Constant) else None
    plain = not {"output_padding", "dilation_rate", 4, 6} & set(layer.arguments) and text in ("same", "valid")
    sizes = [
        (size * step + (max(span - step, 0) if text == "valid" else 0))
        if plain and isinstance(size, int) and span is not None and step is not None
        else _open_as(size)
        for size, span, step in zip(shape[1:-1], kernel, strides, strict=True)
    ]
    return (shape[0], *sizes, _number(_argument(layer, 0, "filters")))


def _open_as(size: Dimension) -> Dimension:
    """A size that is computed from another one."""
    if size is None:
        return None
    return unknown_size(size.varies) if isinstance(size, AbstractNumber) else unknown_size()


def _pooled_whole(layer: LibraryObject, shape: Sizes) -> Shape:
    keeps = truth(layer.arguments.get("keepdims", FALSE))
    if keeps is None or layer.arguments.get(1) is not None:
        return None
    return (shape[0], *(1 for _ in shape[1:-1] if keeps), shape[-1])


def _flat(layer: LibraryObject, shape: Sizes) -> Shape:
    sizes = shape[1:]
    if any(size is None for size in sizes):
        return (shape[0], None)
    numbers = [size for size in sizes if isinstance(size, int)]
    return (shape[0], math.prod(numbers) if len(numbers) == len(sizes) else unknown_size())


def _reshaped(layer: LibraryObject, shape: Sizes) -> Shape:
    target = _argument(layer, 0, "target_shape")
    if not isinstance(target, Sequence) or target.items is None:
        return None
    wanted = [_number(item) for item in target.items]
    if -1 in wanted:
        whole = _flat(layer, shape)
        rest = [size for size in wanted if size != -1]
        size = whole[1] if whole else None
        known = isinstance(size, int) and all(isinstance(each, int) for each in rest)
        inferred = size // math.prod(rest) if known and 0 not in rest else _open_as(size)  # type: ignore
        wanted = [inferred if each == -1 else each for each in wanted]
    return (shape[0], *wanted)


def _repeated(layer: LibraryObject, shape: Sizes) -> Shape:
    return (shape[0], _number(_argument(layer, 0, "n")), *shape[1:])


def _permuted(layer: LibraryObject, shape: Sizes) -> Shape:
    order = _numbers(_argument(layer, 0, "dims"), len(shape) - 1)
    if any(place is None or not 0 < place < len(shape) for place in order):
        return None
    return (shape[0], *(shape[place] for place in order if place is not None))


def _run_over(layer: LibraryObject, shape: Sizes) -> Shape:
    """A recurrent layer: its last state, or that of each step."""
    each = truth(layer.arguments.get("return_sequences", FALSE))
    if each is None or len(shape) != 3 or "time_major" in layer.arguments:
        return None
    units = _number(_argument(layer, 0, "units"))
    return (shape[0], shape[1], units) if each else (shape[0], units)


def _enlarged(layer: LibraryObject, shape: Sizes) -> Shape:
    rank = len(shape) - 2
    times = _numbers(_argument(layer, 0, "size"), rank, 2)
    sizes = [
        size * many if isinstance(size, int) and many is not None else _open_as(size)
        for size, many in zip(shape[1:-1], times, strict=True)
    ]
    return (shape[0], *sizes, shape[-1])


def _merged(layer: LibraryObject, name: str, shapes: list[Sizes], count: int) -> Shape:
    """Of several tensors: what they have in common, or their sum along an axis."""
    if not shapes or len(shapes) < count or len({len(shape) for shape in shapes}) > 1:
        return None
    axis = -1
    if name == "Concatenate":
        said = _argument(layer, 0, "axis")
        if said is not None and not (isinstance(said, Constant) and isinstance(said.value, int)):
            return None
        axis = said.value if isinstance(said, Constant) else -1
    if not -len(shapes[0]) <= axis < len(shapes[0]):
        return None
    columns = list(zip(*shapes, strict=True))
    along = axis % len(columns) if name == "Concatenate" else None
    return tuple(
        _joined(column) if place == along else _agreed(column) for place, column in enumerate(columns)
    )


def _joined(sizes: Sizes) -> Dimension:
    if any(size is None for size in sizes):
        return None
    numbers = [size for size in sizes if isinstance(size, int)]
    return sum(numbers) if len(numbers) == len(sizes) else unknown_size()


def _agreed(sizes: Sizes) -> Dimension:
    """The size that all have; one that is open, or 1, takes that of the others."""
    known = {size for size in sizes if size is not None and size != 1}
    if not known:
        return None if None in sizes else 1
    return known.pop() if len(known) == 1 else unknown_size()


RULES: Final[dict[str, Callable[[LibraryObject, Sizes], Shape]]] = {
    "Dense": _units,
    "Embedding": _embedded,
    "Conv": _convolved,
    "SeparableConv": _convolved,
    "DepthwiseConv": _depthwise,
    "MaxPooling": _pooled,
    "MaxPool": _pooled,
    "AveragePooling": _pooled,
    "AvgPool": _pooled,
    "GlobalAveragePooling": _pooled_whole,
    "GlobalAvgPool": _pooled_whole,
    "GlobalMaxPooling": _pooled_whole,
    "GlobalMaxPool": _pooled_whole,
    "Conv1DTranspose": _transposed,
    "Conv2DTranspose": _transposed,
    "Conv3DTranspose": _transposed,
    "Flatten": _flat,
    "Reshape": _reshaped,
    "RepeatVector": _repeated,
    "Permute": _permuted,
    "LSTM": _run_over,
    "GRU": _run_over,
    "SimpleRNN": _run_over,
    "UpSampling": _enlarged,
}


def _words_of(layer: LibraryObject, given: Value, shape: Shape) -> Shape:
    """The numbers of the words of some texts: as many as the longest has, where nothing else is asked for."""
    arguments = layer.arguments
    if shape is None or len(shape) != 1 or any(isinstance(key, int) for key in arguments):
        return None
    if {"output_mode", "ragged", "split"} & set(arguments):
        return None
    length = arguments.get("output_sequence_length")
    if length is not None and not is_none(length):
        known = isinstance(length, Constant) and isinstance(length.value, int)
        return (*shape, length.value) if known else None  # type: ignore[attr-defined]
    texts = given.members if isinstance(given, Sequence) else (given,)
    return (*shape, AbstractNumber("int", frozenset().union(*(each.varies for each in texts))))
