"""What a loop of the graph takes out of a tensor while a tape follows it."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.tracing.operations import is_followed
from graphdoctor.dryrun.values import Given, Opaque, Tensor, Value, Variable
from graphdoctor.recording.format import SLICING


def note_slicing(machine: Machine, holder: Value, index: Value, node: ast.AST) -> None:
    """Write down `x[…]` in a loop of the graph, where its gradient may be asked for."""
    graph = machine.graph
    if graph is None or not machine.tapes or not graph.loops:
        return
    known = isinstance(holder, (Tensor, Variable, Given)) or (isinstance(holder, Opaque) and holder.origin)
    if known and is_followed(machine, holder):
        machine.log.library_call(SLICING, node, {"tensor": holder, "index": index}, recorded=True)
