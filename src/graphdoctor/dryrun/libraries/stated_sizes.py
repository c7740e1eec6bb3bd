"""Operations whose result has sizes that an argument says, whatever sizes the tensors have that they get."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from graphdoctor.dryrun.libraries.tables.operations import Operation
from graphdoctor.dryrun.values import (
    AbstractNumber,
    Constant,
    Dimension,
    Sequence,
    Shape,
    Value,
    unknown_size,
)
from graphdoctor.dryrun.values.dtypes import shape_of
from graphdoctor.dryrun.values.slicing import fixed_distance

if TYPE_CHECKING:
    from graphdoctor.dryrun.libraries.table_calls import TableArguments

TRANSFORMED = {"rfft": lambda count: count // 2 + 1, "irfft": lambda count: count, "fft": lambda count: count}


def own_sizes(known: Operation, arguments: TableArguments) -> Shape:
    """The shape of what such an operation gives; None where it is none, or is not asked for a size."""
    if known.shape.startswith("range:"):
        return _range(known, arguments)
    rule, name = _rule_of(known.name)
    return rule(name, arguments) if rule is not None else None


@functools.cache
def _rule_of(name: str) -> tuple[Rule | None, str]:
    last = name.rpartition(".")[2]
    return _segments if last.startswith("segment_") else RULES.get(last), last


def _given(arguments: TableArguments, *names: str) -> Value | None:
    """What one of some parameters was given, if not None."""
    for name in names:
        value = arguments.values.get(name)
        if value is not None and not (isinstance(value, Constant) and value.value is None):
            return value
    return None


def _size(value: Value) -> Dimension:
    if isinstance(value, Sequence) and value.items is not None and len(value.items) == 1:
        value = value.items[0]
    if isinstance(value, Constant) and isinstance(value.value, int):
        return value.value
    return value if isinstance(value, AbstractNumber) and value.type == "int" else unknown_size()


def _shape(arguments: TableArguments, *names: str) -> Shape:
    given = _given(arguments, *names)
    return shape_of(given) if given is not None else None


def _range(known: Operation, arguments: TableArguments) -> Shape:
    """`tf.range(k, k + 4)`."""
    start, stop, step = known.shape.removeprefix("range:").split(",")
    first, last = _given(arguments, start), _given(arguments, stop)
    length = fixed_distance(first, last) if first is not None and last is not None else None
    by = arguments.value(step)
    return (math.ceil(length / by),) if length is not None and isinstance(by, int) and by > 0 else None


def _segments(name: str, arguments: TableArguments) -> Shape:
    """As many rows as the numbers of the segments say, which are unknown."""
    shape = _shape(arguments, "data")
    return (unknown_size(), *shape[1:]) if shape and isinstance(shape[0], AbstractNumber) else None


def _largest(name: str, arguments: TableArguments) -> Shape:
    shape, wanted = _shape(arguments, "input", "x"), _given(arguments, "k")
    return (*shape[:-1], _size(wanted)) if shape and wanted is not None else None


def _drawn(name: str, arguments: TableArguments) -> Shape:
    shape, wanted = _shape(arguments, "logits"), _given(arguments, "num_samples")
    return (*shape[:-1], _size(wanted)) if shape and wanted is not None else None


def _mask(name: str, arguments: TableArguments) -> Shape:
    shape, wanted = _shape(arguments, "lengths"), _given(arguments, "maxlen")
    return (*shape, _size(wanted)) if shape is not None and wanted is not None else None


def _categories(name: str, arguments: TableArguments) -> Shape:
    shape, wanted = _shape(arguments, "x"), _given(arguments, "num_classes")
    if shape is None or wanted is None:
        return None
    return (*(shape[:-1] if len(shape) > 1 and shape[-1] == 1 else shape), _size(wanted))


def _counts(name: str, arguments: TableArguments) -> Shape:
    """At least so many, and more where a larger number is among those counted."""
    wanted = _given(arguments, "minlength")
    return (AbstractNumber("int"),) if wanted is not None and _size(wanted) != 0 else None


def _frequencies(name: str, arguments: TableArguments) -> Shape:
    shape, wanted = _shape(arguments, "input_tensor", "a"), _given(arguments, "fft_length", "n")
    if not shape or wanted is None or _given(arguments, "axis") is not None:
        return None
    count = _size(wanted)
    return (*shape[:-1], TRANSFORMED[name](count) if isinstance(count, int) else count)


def _windows(name: str, arguments: TableArguments) -> Shape:
    """Windows of one length, as many as fit into a signal; of a spectrogram, the frequencies of each."""
    shape, length = _shape(arguments, "signals", "signal"), _given(arguments, "frame_length")
    if not shape or length is None or (name == "frame" and arguments.value("axis") != -1):
        return None
    size = _size(length)
    if name == "stft":
        wanted = _given(arguments, "fft_length")
        size = _of_every_size(
            lambda count: count // 2 + 1, _size(wanted) if wanted is not None else _power_of_two(size)
        )
    return (*shape[:-1], _number_of_windows(shape[-1], arguments), size)


def _power_of_two(size: Dimension) -> Dimension:
    return _of_every_size(lambda count: 1 << (count - 1).bit_length(), size)


def _of_every_size(compute: Callable[[int], int], size: Dimension) -> Dimension:
    """What is computed of a size; where that is not known, a size that differs as it does."""
    if isinstance(size, int):
        return compute(size)
    return AbstractNumber("int", size.varies, size.few) if isinstance(size, AbstractNumber) else size


def _number_of_windows(signal: Dimension, arguments: TableArguments) -> Dimension:
    length, step, padded = (arguments.value(name) for name in ("frame_length", "frame_step", "pad_end"))
    if not isinstance(length, int) or not isinstance(step, int) or step < 1 or not isinstance(padded, bool):
        return unknown_size()
    if padded:
        return _of_every_size(lambda count: math.ceil(count / step), signal)
    return _of_every_size(lambda count: max(0, 1 + (count - length) // step), signal)


Rule = Callable[[str, "TableArguments"], Shape]
RULES: dict[str, Rule] = {
    "top_k": _largest,
    "categorical": _drawn,
    "sequence_mask": _mask,
    "to_categorical": _categories,
    "frame": _windows,
    "stft": _windows,
    "bincount": _counts,
    **dict.fromkeys(TRANSFORMED, _frequencies),
}
