"""Keras: what `fit` passes to its callbacks, once for an epoch or at each of many batches."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator

from graphdoctor.dryrun.control.loops import widen_changes
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.context import LoopRun
from graphdoctor.dryrun.core.heap import Changes
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.keras.inputs import batches_of
from graphdoctor.dryrun.values import (
    UNKNOWN,
    AbstractNumber,
    BoundMethod,
    Constant,
    Function,
    Instance,
    LibraryObject,
    Sequence,
    Unknown,
    Value,
)

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
        for callback in self._callbacks:
            if isinstance(callback, Instance):
                self._machine.heap.put(callback.cells, "model", self._model)
            for moment, given in (("set_model", self._model), ("on_train_begin", UNKNOWN)):
                method = _method(callback, moment)
                if not isinstance(method, Unknown):
                    self._machine.call(method, Arguments([given]), self._node)

    def notify(self, number: Value, moments: tuple[str, ...]) -> None:
        """Run what callbacks do at some moments of an epoch."""
        for callback in self._callbacks:
            if isinstance(callback, Instance):
                self._machine.heap.put(callback.cells, "model", self._model)
            for moment in moments:
                method = _method(callback, moment)
                if not isinstance(method, Unknown):
                    self._call(method, number, "batch" in moment)

    def _call(self, method: Value, number: Value, each_batch: bool) -> None:
        """A hook of batches runs in the loop that `fit` makes over them, and is given their numbers."""
        machine, loop = self._machine, self._batches
        if not each_batch:
            machine.call(method, Arguments([number, UNKNOWN]), self._node)
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
