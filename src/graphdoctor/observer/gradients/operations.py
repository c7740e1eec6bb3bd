"""What was computed from what: operations by the numbers of their tensors."""

import dataclasses
from collections.abc import Callable, Hashable, Iterator
from typing import Any

Key = Hashable  # the number TensorFlow gives a tensor; with the number of the call inside a function
CodeLine = tuple[str, int, str]  # file, line, function

CUSTOM = "custom gradient"  # the kind of an operation whose gradient the user wrote
TRAINABLE = ("float", "bfloat", "complex", "resource", "variant", "half", "double")
# What they give depends on the shape of their input, not on its values: no path at all.
SHAPE_ONLY = frozenset(
    {"Shape", "ShapeN", "Rank", "Size", "VariableShape", "ZerosLike", "OnesLike", "BroadcastGradientArgs",
     "EmptyTensorList", "TensorListReserve", "TensorListLength", "TensorListElementShape"}
)  # fmt: skip
READS = frozenset({"ReadVariableOp", "ResourceGather", "ResourceGatherNd"})
ASSIGNS = frozenset(
    {"AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp", "ResourceScatterUpdate",
     "ResourceScatterAdd", "ResourceScatterSub", "ResourceScatterMul", "ResourceScatterNdUpdate",
     "ResourceScatterNdAdd", "ResourceScatterNdSub", "ResourceStridedSliceAssign"}
)  # fmt: skip


@dataclasses.dataclass(eq=False, slots=True)
class Operation:
    """One operation; `order` tells what came before and after it, in the numbers of the tensors.

    `place` is where in the user's code it was made. `written` holds what was assigned to the variable
    that a read operation reads, each with the operation that assigned it. `custom`: its gradient is
    the user's own. `hidden` operations only join a function's inside with its outside.
    """

    kind: str
    inputs: tuple[Key, ...]
    outputs: tuple[Key, ...]
    order: int
    place: CodeLine | Callable[[], CodeLine | None] | None
    custom: bool = False
    hidden: bool = False
    written: tuple[tuple[Key, "Operation"], ...] = ()

    def where(self) -> CodeLine | None:
        """The user's line; reading it from a graph costs time, so it is read when asked for."""
        if callable(self.place):
            self.place = self.place()
        return self.place


@dataclasses.dataclass(eq=False, slots=True)
class Escape:
    """A tensor whose value left TensorFlow: `how` names the call, such as `.numpy()`."""

    key: Key
    order: int
    place: CodeLine | None
    how: str


class Record:
    """Which operation made which tensor."""

    def __init__(self) -> None:
        self.producers: dict[Key, Operation] = {}
        self.dtypes: dict[Key, str] = {}
        self.escapes: list[Escape] = []
        self.calls: list[tuple[Operation, Any]] = []  # of traced functions: weak references to their graphs
        self.count = 0
        self.complete = True  # False once there were too many operations to go on
        self._assigned: dict[Key, list[tuple[Key, Operation]]] = {}

    def add(self, operation: Operation, dtypes: Iterator[tuple[Key, str]]) -> None:
        """Remember an operation and the dtypes of the tensors it touches."""
        self.count += 1
        self.dtypes.update(dtypes)
        if operation.kind in ASSIGNS and len(operation.inputs) > 1:
            written = self._assigned.setdefault(operation.inputs[0], [])
            written += [(key, operation) for key in operation.inputs[1:]]
        if operation.kind in READS and operation.inputs:
            operation.written = tuple(self._assigned.get(operation.inputs[0], ()))
        for key in operation.outputs:
            self.producers[key] = operation

    def assigned(self, key: Key) -> list[tuple[Key, Operation]]:
        """What was assigned to a variable, and by which operations."""
        return self._assigned.get(key, [])

    def trainable(self, key: Key) -> bool:
        """Whether a gradient can pass this tensor at all; True when its dtype is not known."""
        return is_trainable(self.dtypes.get(key, "float32"))

    def dependencies(self, key: Key) -> Iterator[Key]:
        """The tensors that a tensor's values were computed from, also through a variable's state."""
        operation = self.producers.get(key)
        if operation is None or operation.kind in SHAPE_ONLY:
            return
        yield from operation.inputs
        for value, _ in operation.written:
            yield value

    def ancestors(self, keys: Any) -> set[Key]:
        """Everything that these tensors depend on, and they themselves."""
        found: set[Key] = set(keys)
        waiting = list(found)
        while waiting:
            for key in self.dependencies(waiting.pop()):
                if key not in found:
                    found.add(key)
                    waiting.append(key)
        return found

    def dependent(self, sources: Any, among: set[Key]) -> set[Key]:
        """Those among the tensors that depend on one of the sources."""
        users: dict[Key, list[Key]] = {}
        for key in among:
            for needed in self.dependencies(key):
                users.setdefault(needed, []).append(key)
        found: set[Key] = {key for key in sources if key in among}
        waiting = list(found)
        while waiting:
            for key in users.get(waiting.pop(), ()):
                if key not in found:
                    found.add(key)
                    waiting.append(key)
        return found


def is_trainable(dtype: str) -> bool:
    """Whether tensors of this dtype have gradients."""
    return dtype.startswith(TRAINABLE)
