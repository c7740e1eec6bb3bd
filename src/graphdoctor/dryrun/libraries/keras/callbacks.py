"""Keras: what `fit` is given: how many samples, epochs and batches, and which callbacks, called when."""

import ast
import contextlib
import math
from collections.abc import Iterator

from graphdoctor.dryrun.control.loops import widen_changes
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.context import LoopRun
from graphdoctor.dryrun.core.heap import Changes
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import (
    NONE,
    OPEN,
    UNKNOWN,
    AbstractNumber,
    BoundMethod,
    Constant,
    Dataset,
    Dictionary,
    Dimension,
    Function,
    Instance,
    LibraryObject,
    Numeric,
    Sequence,
    Unknown,
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


STARTING = ("on_epoch_begin", "on_train_batch_begin", "on_batch_begin")
ENDING = ("on_train_batch_end", "on_batch_end", "on_epoch_end")


class Callbacks:
    """The callbacks of one `fit`."""

    def __init__(
        self, machine: Machine, model: LibraryObject | Instance, arguments: Arguments, node: ast.AST
    ) -> None:
        given = arguments.get(None, "callbacks")
        items = given.items if isinstance(given, Sequence) else (given,)
        self._callbacks = [each for each in items or () if isinstance(each, (Instance, LibraryObject))]
        self._machine = machine
        self._model = model
        self._node = node
        self._batches = LoopRun(node, machine.module, batches_of(arguments), machine.activation)
        self._epochs = LoopRun(node, machine.module, None, machine.activation)

    def __bool__(self) -> bool:
        return bool(self._callbacks)

    @contextlib.contextmanager
    def later_epochs(self, earlier: Changes) -> Iterator[Value]:
        """While open, `fit` is at any of its later epochs, whose number is unknown.

        `earlier` is what its first ones have changed, and each later one changes again.
        """
        machine = self._machine
        loops = machine.loops
        begun = len(loops)
        widen_changes(machine, self._epochs, earlier)
        self._epochs.iteration = 2
        loops.append(self._epochs)
        try:
            with machine.heap.watched() as changes:
                yield AbstractNumber("int", frozenset([self._epochs]))
                widen_changes(machine, self._epochs, changes())
        finally:
            del loops[begun:]

    def begin(self) -> None:
        """Run what callbacks do before anything is traced."""
        self._run("set_model", [self._model])
        self._run("on_train_begin", [UNKNOWN])

    def notify(self, number: Value, moments: tuple[str, ...]) -> None:
        """Run what callbacks do at some moments of an epoch."""
        for moment in moments:
            self._run(moment, [number, UNKNOWN])

    def _run(self, moment: str, given: list[Value]) -> None:
        for callback in self._callbacks:
            if isinstance(callback, Instance):
                self._machine.heap.put(callback.cells, "model", self._model)
            method = _method(callback, moment)
            if not isinstance(method, Unknown):
                self._call(method, given, "batch" in moment)

    def _call(self, method: Value, given: list[Value], each_batch: bool) -> None:
        """A hook of batches runs in the loop that `fit` makes over them, and is given their numbers."""
        machine, loop = self._machine, self._batches
        if not each_batch:
            machine.call(method, Arguments(given), self._node)
            return
        several = loop.count != 1
        begun = len(machine.loops)
        machine.loops.append(loop)
        try:
            with machine.heap.watched() as changes:
                batch = AbstractNumber("int", frozenset([loop])) if several else Constant(0)
                machine.call(method, Arguments([batch, UNKNOWN]), self._node)
                if several:
                    widen_changes(machine, loop, changes())
        finally:
            del machine.loops[begun:]


def _method(callback: Instance | LibraryObject, moment: str) -> Value:
    if isinstance(callback, LibraryObject):
        return callback.arguments.get(moment, UNKNOWN)
    found = callback.cls.find(moment)
    return BoundMethod(found, callback) if isinstance(found, Function) else UNKNOWN
