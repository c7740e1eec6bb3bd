"""A record, a target and a source → why there is no gradient, and the path to where it ends."""

import dataclasses
import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.observer.gradients import tensorflow_internals as internals
from graphdoctor.observer.gradients.operations import (
    CUSTOM,
    READS,
    CodeLine,
    Escape,
    Key,
    Operation,
    Record,
    is_trainable,
)

LEAVING = {"PyFunc": "tf.numpy_function", "PyFuncStateless": "tf.numpy_function"}
STOPPING = {"StopGradient", "PreventGradient"}
LONGEST_PATH = 40
UNSHOWN = {"Identity", "IdentityN", "ReadVariableOp", "VarHandleOp", "Placeholder", "Const"}


@dataclasses.dataclass(frozen=True)
class Source:
    """What a gradient was asked for: its number, and what is known of it."""

    key: Key
    name: str
    dtype: str
    variable: bool
    trainable: bool = True
    index: int = 0


@dataclasses.dataclass(eq=False)
class TapeLife:
    """When a tape was recording, and what it watched: (number, when, where)."""

    intervals: list[list[int]] = dataclasses.field(default_factory=list)
    watched: list[tuple[Key, int, CodeLine | None]] = dataclasses.field(default_factory=list)
    variables: frozenset[Key] = frozenset()
    automatic: bool = True
    site: object = None  # the line that opened it in eager code
    place: CodeLine | None = None
    record: Record | None = None  # what eager code computed around it

    def recorded(self, order: int) -> bool:
        """Whether the tape was recording when this operation ran."""
        return any(begin <= order <= end for begin, end in self.intervals)

    @property
    def closed(self) -> bool:
        """Whether it records no more."""
        return bool(self.intervals) and self.end != sys.maxsize

    @property
    def begin(self) -> int:
        """When it was first entered."""
        return self.intervals[0][0] if self.intervals else 0

    @property
    def end(self) -> int:
        """When it was last left."""
        return self.intervals[-1][1] if self.intervals else 0


@dataclasses.dataclass(frozen=True)
class Reason:
    """Why: `kind` is one of the words in `recording.gradients`; `path` runs from the target backwards."""

    kind: str
    place: CodeLine | None = None
    operation: str = ""
    detail: str = ""
    path: tuple[tuple[str, CodeLine | None], ...] = ()


class Explainer:
    """Looks for the place where the way from the targets back to a source breaks."""

    def __init__(
        self,
        record: Record,
        targets: list[tuple[Key, str]],
        life: TapeLife,
        value_is_kept: Callable[[CodeLine | None, CodeLine | None], bool] = lambda place, opened: True,
    ) -> None:
        self.record = record
        self.value_is_kept = value_is_kept
        self.targets = targets
        self.life = life
        self.ancestors = record.ancestors(key for key, _ in targets)

    @functools.cached_property
    def connected(self) -> set[Key]:
        """Every tensor that a gradient can come to from the targets, whether it is watched or not."""
        found = {key for key, _ in self.targets}
        waiting = list(found)
        while waiting:
            key = waiting.pop()
            operation = self.record.producers.get(key)
            if operation is None:
                continue
            for needed in operation.inputs:
                if needed not in found and not self._breaks(operation, key, needed):
                    found.add(needed)
                    waiting.append(needed)
        return found

    def explain(self, source: Source) -> Reason:
        """The reason for one source."""
        if not is_trainable(source.dtype):
            return Reason("dtype", detail=source.dtype)
        if source.variable and not source.trainable and source.key not in self.life.variables:
            return Reason("not-trainable")
        if source.key in self.ancestors:
            return self._broken(source)
        return self._unconnected(source)

    def _broken(self, source: Source) -> Reason:
        """There is a way from the target to the source: find the first operation that breaks it."""
        on_path = self.record.dependent([source.key], self.ancestors)
        came_from: dict[Key, Key | None] = {key: None for key, _ in self.targets if key in on_path}
        waiting = sorted(came_from, key=self._order, reverse=True)
        breaks: list[tuple[Operation, Operation | None, Key]] = []
        for key in waiting:  # grows while it is read
            operation = self.record.producers.get(key)
            if key == source.key:
                first = self._order(came_from[key]) if came_from[key] is not None else sys.maxsize
                return self._not_watched(source, first, self._path(came_from[key], came_from))
            if operation is None:
                continue
            for needed, assignment in self._needed(operation):
                if needed not in on_path:
                    continue
                if assignment is not None or self._breaks(operation, key, needed):
                    breaks.append((operation, assignment, key))
                elif needed not in came_from:
                    came_from[needed] = key
                    waiting.append(needed)
        if not breaks:
            return Reason("unexplained", path=self._path(source.key, came_from))
        # Of two ways, one that is stopped on purpose is not the one that was to have a gradient. In a loop
        # all is of one order; there, what is computed says more than what decides about it.
        operation, assignment, key = max(
            breaks,
            key=lambda found: (
                found[0].kind not in STOPPING,
                found[0].order,
                self.record.dtypes.get(found[2]) != "bool",
            ),
        )
        return self._describe(operation, assignment, key, came_from)

    def _needed(self, operation: Operation) -> Iterator[tuple[Key, Operation | None]]:
        for key in operation.inputs:
            yield key, None
        for key, assignment in operation.written:
            yield key, assignment

    def _breaks(self, operation: Operation, output: Key, needed: Key) -> bool:
        """Whether no gradient passes from the output of an operation to one of its inputs."""
        if operation.hidden or not self.record.trainable(needed):
            return False  # nothing to break here: further back a float became this
        if not self.life.recorded(operation.order):
            return True
        if operation.custom:
            return False
        return not self.record.trainable(output) or internals.gives_no_gradient(operation.kind)

    def _describe(
        self, operation: Operation, assignment: Operation | None, key: Key, came_from: dict[Key, Key | None]
    ) -> Reason:
        path = self._path(key, came_from)
        if assignment is not None:
            return Reason("state", assignment.where(), assignment.kind, path=path)
        place = operation.where()
        if not self.life.recorded(operation.order):
            when = "after" if operation.order > self.life.end else "before"
            if self.life.begin < operation.order < self.life.end:
                when = "paused"
            return Reason("outside", place, operation.kind, when, path)
        if operation.kind in STOPPING:
            return Reason("stopped", place, operation.kind, path=path)
        if operation.kind in LEAVING:
            return Reason("left", place, operation.kind, LEAVING[operation.kind], path)
        made = self.record.dtypes.get(key, "")
        return Reason("operation", place, operation.kind, "" if is_trainable(made) else made, path)

    def _not_watched(
        self, source: Source, used: int, path: tuple[tuple[str, CodeLine | None], ...]
    ) -> Reason:
        """Every step passes gradients: then the tape did not know the source, or not when it was used."""
        custom = next((step for step in path if step[0] == CUSTOM), None)
        first = path[-1][1] if path else None
        if source.variable:
            if source.key in self.life.variables:
                return _custom(custom, path) if custom else Reason("unexplained", path=path)
            return Reason("not-watched", first, detail="" if self.life.automatic else "manual", path=path)
        watched = [(when, place) for key, when, place in self.life.watched if key == source.key]
        if watched and watched[0][0] < used:
            return _custom(custom, path) if custom else Reason("unexplained", path=path)
        if watched:
            return Reason("late", watched[0][1], path=path)
        for key, _, place in self.life.watched:
            if source.key in self.record.ancestors([key]):
                return Reason("late", place, detail="copy", path=path)
        return Reason("not-watched", first, path=path)

    def _unconnected(self, source: Source) -> Reason:
        """No way at all inside TensorFlow: it left, was computed before, or is simply not used."""
        path = self._longest_path()
        escape = self._escape(source)
        if escape is not None:
            return Reason("left", escape.place, detail=escape.how, path=path)
        for key, dtype in self.targets:
            for value, assignment in self.record.assigned(key):  # the target is a variable itself
                if source.key in self.record.ancestors([value]):
                    return Reason("state", assignment.where(), assignment.kind, path=path)
            if key not in self.record.producers and isinstance(key, int):
                if self.life.end < key:
                    return Reason("outside", None, detail="after")
                if key < self.life.begin:
                    return Reason("outside", None, detail="before")
            if not is_trainable(dtype):
                return Reason("dtype", detail=dtype, path=path)
        twin = None if source.variable else self._twin(source)
        return twin or Reason("unused", path=path)

    def _twin(self, source: Source) -> Reason | None:
        """A tensor that a model gave, when the target comes from another call of the same layers."""
        made = self.record.producers.get(source.key)
        layers = self._variables(self.record.ancestors([source.key]))
        if made is None or not layers or not layers <= self._variables(self.ancestors):
            return None
        return Reason("late", made.where(), made.kind, "twin", self._longest_path())

    def _variables(self, keys: set[Key]) -> set[Key]:
        reads = [self.record.producers[key] for key in keys if key in self.record.producers]
        return {read.inputs[0] for read in reads if read.kind in READS and read.inputs}

    def _escape(self, source: Source) -> Escape | None:
        """The last value that depended on the source and left before a constant came in."""
        entered = [key for key in self.leaves() if isinstance(key, int)]
        for escape in reversed(self.record.escapes):
            if escape.order < self.life.begin or not any(escape.order < key for key in entered):
                continue
            needs = self.record.ancestors([escape.key])
            reaches = source.key in needs or escape.how.startswith("model.")
            if reaches and self.value_is_kept(escape.place, self.life.place):
                return escape
        return None

    def leaves(self) -> list[Key]:
        """The tensors on the target's path that no operation made: constants, data, variables."""
        return [key for key in self.ancestors if key not in self.record.producers]

    def entries(self) -> list[Operation]:
        """The operations on the target's path that took in a constant after the tape was entered."""
        fresh = {key for key in self.leaves() if isinstance(key, int) and key > self.life.begin}
        found = {
            id(operation): operation
            for key in self.ancestors
            if (operation := self.record.producers.get(key)) and any(k in fresh for k in operation.inputs)
        }
        return sorted(found.values(), key=lambda operation: -operation.order)

    def _order(self, key: Key | None) -> int:
        operation = self.record.producers.get(key)
        return operation.order if operation else 0

    def _path(self, key: Key | None, came_from: dict[Key, Any]) -> tuple[tuple[str, CodeLine | None], ...]:
        """From the target back to a tensor."""
        steps = []
        current = key
        while current is not None:
            operation = self.record.producers.get(current)
            if operation is not None and not operation.hidden and operation.kind not in UNSHOWN:
                steps.append((operation.kind, operation.where()))
            current = came_from.get(current)
        return tuple(reversed(steps))[:LONGEST_PATH]

    def _longest_path(self) -> tuple[tuple[str, CodeLine | None], ...]:
        """From the target back, always by the latest input: what it was computed from instead."""
        steps: list[tuple[str, CodeLine | None]] = []
        seen: set[Key] = set()
        current = max((key for key, _ in self.targets), key=self._order, default=None)
        while current is not None and current not in seen and len(steps) < LONGEST_PATH:
            seen.add(current)
            operation = self.record.producers.get(current)
            if operation is None:
                break
            if not operation.hidden and operation.kind not in UNSHOWN:
                steps.append((operation.kind, operation.where()))
            current = max(operation.inputs, key=self._order, default=None)
        return tuple(steps)


def _custom(step: tuple[str, CodeLine | None], path: tuple[tuple[str, CodeLine | None], ...]) -> Reason:
    return Reason("custom", step[1], CUSTOM, path=path)
