"""Keras: what `fit` tells its callbacks, once for an epoch or at each of many batches."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.arguments import Arguments
from graphdoctor.dryrun.context import LoopRun
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.models.keras_inputs import batches_of
from graphdoctor.dryrun.values import (
    UNKNOWN,
    BoundMethod,
    Function,
    Instance,
    Known,
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

    def __bool__(self) -> bool:
        return bool(self._callbacks)

    def notify(self, number: int, moments: tuple[str, ...]) -> None:
        """Run what callbacks do at some moments of an epoch."""
        for callback in self._callbacks:
            if isinstance(callback, Instance):
                self._machine.heap.put(callback.cells, "model", self._model)
            for moment in moments:
                method = _method(callback, moment)
                if not isinstance(method, Unknown):
                    self._call(method, number, "batch" in moment)

    def _call(self, method: Value, number: int, each_batch: bool) -> None:
        """A hook of batches runs in the loop that `fit` makes over them."""
        loops = self._machine.loops
        begun = len(loops)
        if each_batch:
            loops.append(self._batches)
        try:
            self._machine.call(method, Arguments([Known(number), UNKNOWN]), self._node)
        finally:
            del loops[begun:]


def _method(callback: Instance | LibraryObject, moment: str) -> Value:
    if isinstance(callback, LibraryObject):
        return callback.arguments.get(moment, UNKNOWN)
    found = callback.cls.find(moment)
    return BoundMethod(found, callback) if isinstance(found, Function) else UNKNOWN
