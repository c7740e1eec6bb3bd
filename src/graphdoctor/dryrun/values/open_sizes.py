"""Open sizes: `x.shape[0]` is None where TensorFlow does not know it while tracing."""

import ast

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import Constant, Origin, Sequence, Slice, Value
from graphdoctor.source.nodes import spelled


class OpenSize(Constant):
    """The None that stands for an open size: of which tensor, which axis, and where it was read."""

    __slots__ = ("axis", "origin", "tensor")

    def __init__(self, tensor: str, axis: int, origin: Origin) -> None:
        super().__init__(None)
        self.tensor = tensor
        self.axis = axis
        self.origin = origin

    def __repr__(self) -> str:
        return "OpenSize"


def note_open_size(machine: Machine, value: Value, node: ast.AST, name: str) -> bool:
    """Write down that an open size is used as a number; whether it was one."""
    if not isinstance(value, OpenSize):
        return False
    machine.log.size_used("size", node, value, name)
    return True


def note_open_sizes(machine: Machine, value: Value, node: ast.AST, name: str) -> None:
    """The same for the sizes in a shape."""
    for item in value.items or () if isinstance(value, Sequence) else ():
        note_open_size(machine, item, node, name)


def note_open_bounds(machine: Machine, index: Value, node: ast.Subscript) -> None:
    """Write down `y[: x.shape[0]]` where that size is open: None is no bound, and all is taken."""
    parts = index.items or () if isinstance(index, Sequence) else (index,)
    for bound in (bound for part in parts if isinstance(part, Slice) for bound in part.parts[:2]):
        if isinstance(bound, OpenSize) and bound.tensor != spelled(node.value):
            machine.log.size_used("bounding size", node, bound, "getitem")
