"""Keras: how many samples `fit`, `evaluate` and `predict` are given, how often, in how many batches."""

from __future__ import annotations

import math

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.values import (
    NONE,
    OPEN,
    AbstractNumber,
    Constant,
    Dataset,
    Dictionary,
    Dimension,
    Numeric,
    Sequence,
    Value,
    is_none,
    unknown_size,
)
from graphdoctor.dryrun.values.dtypes import shape_of
from graphdoctor.dryrun.values.iteration import count_of

BATCH_SIZE = 32  # of Keras, where nobody says another


def samples_of(data: Value) -> int | None:
    """The samples of an array, or of each array of a model with several inputs; None: unknown."""
    if isinstance(data, Dictionary):
        return _of_each(list(data.cells.values()))
    if isinstance(data, Sequence) and data.kind in ("list", "tuple"):
        parts = data.items if data.items is not None else (data.cells["element"],)
        if any(isinstance(part, Numeric) for part in parts):
            return _of_each(list(parts))
    shape = shape_of(data)
    return shape[0] if shape and isinstance(shape[0], int) else None


def _of_each(parts: list[Value | None]) -> int | None:
    sizes = {samples_of(part) if part is not None else None for part in parts}
    return sizes.pop() if len(sizes) == 1 else None


def batches_of(arguments: Arguments) -> int | None:
    """How many batches a whole `fit` goes through; None: unknown."""
    epochs = _epochs(arguments)
    in_epoch = _number(arguments.get(None, "steps_per_epoch"), _batches_of_epoch(arguments))
    return in_epoch * epochs if in_epoch is not None and epochs is not None else None


def batch_size_of(name: str, arguments: Arguments, keras: int | None) -> Dimension:
    """The size of each batch of arrays, as a step knows it while it is traced (run on 2.21).

    Where a smaller one comes last it is open, but `predict` of Keras 3 knows the size of a single batch;
    how many samples there are, and so which of both it is, may be unknown.
    """
    samples = samples_of(arguments.get(0, "x"))
    size = _number(arguments.get(1 if name == "predict" else 2, "batch_size"), BATCH_SIZE)
    said = [arguments.get(None, option) for option in ("steps", "steps_per_epoch")]
    split = arguments.get(6, "validation_split", NONE) if name == "fit" else NONE
    if not samples or not size or not all(map(is_none, [*said, split])):
        return unknown_size()
    if name == "predict" and samples <= size:
        return samples if keras == 3 else unknown_size()
    return size if samples % size == 0 else OPEN


def is_one_epoch(arguments: Arguments) -> bool:
    """Whether `fit` certainly goes through its data once."""
    return _epochs(arguments) == 1


def has_later_epochs(arguments: Arguments) -> bool:
    """Whether `fit` may come to a third epoch."""
    return _epochs(arguments) not in (1, 2)


def first_epoch(arguments: Arguments) -> Value:
    """The number with which `fit` begins to count its epochs."""
    said = arguments.get(11, "initial_epoch", NONE)
    return Constant(0) if is_none(said) else said


def epoch_after(number: Value) -> Value:
    """The number of the epoch that follows."""
    known = isinstance(number, Constant) and isinstance(number.value, int)
    return Constant(number.value + 1) if known else AbstractNumber("int")  # type: ignore[attr-defined]


def _epochs(arguments: Arguments) -> int | None:
    last, first = _number(arguments.get(3, "epochs"), 1), first_epoch(arguments)
    if last is None or not isinstance(first, Constant) or not isinstance(first.value, int):
        return None
    return last - first.value


def _batches_of_epoch(arguments: Arguments) -> int | None:
    data = arguments.get(0, "x")
    if isinstance(data, Dataset):
        return count_of(data)
    samples, size = samples_of(data), _number(arguments.get(2, "batch_size"), BATCH_SIZE)
    return math.ceil(samples / size) if samples is not None and size else None


def _number(value: Value, usual: int | None) -> int | None:
    """A number that is given; what is usual where it is None."""
    if not isinstance(value, Constant):
        return None
    return usual if value.value is None else value.value if isinstance(value.value, int) else None
