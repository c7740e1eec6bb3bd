"""Open sizes: `x.shape[0]` is None where TensorFlow does not know it while tracing."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.values import Known, Value


class OpenSize(Known):
    """The None that stands for a size which is open while tracing."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "OpenSize"


OPEN_SIZE = OpenSize(None)


def note_open_size(machine: Machine, value: Value, node: ast.AST, name: str) -> bool:
    """Write down that an open size is used as a number; whether it was one."""
    if not isinstance(value, OpenSize):
        return False
    machine.log.use("size", node, value, name)
    return True
