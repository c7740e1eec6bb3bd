"""Weights that have no value yet: a trace that an automatic build of Keras 3 makes keeps initial values."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphdoctor.dryrun.core.context import Graph
from graphdoctor.dryrun.libraries.tables.tables import keras_class
from graphdoctor.dryrun.values import Instance, LibraryObject, Variable, numbers
from graphdoctor.recording.format import INITIAL_VALUES

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.machine import Machine

BUILDING = "__building__"  # the cell of what got its variables in an automatic build: that build


class AutomaticBuild:
    """One automatic build, with the layers without `build()` that are called now, outermost first.

    `graph` is where it began: None in eager code.
    """

    def __init__(self, graph: Graph | None) -> None:
        self.graph = graph
        self.layers: list[Instance] = []
        self.number = next(numbers)  # what was made since then has a larger one


def note_building(machine: Machine, holder: LibraryObject | Instance | Variable) -> None:
    """A layer or variable gets its weights now: in an automatic build they have no value before its end."""
    if machine.building is not None:
        machine.heap.put(holder.cells, BUILDING, machine.building)


def note_read(machine: Machine, holder: LibraryObject | Variable, node: ast.AST) -> None:
    """Weights are read: a trace that the same automatic build began takes their initial values."""
    building, graph = machine.building, _trace(machine.graph)
    if building is None or graph is None or machine.unsure:
        return
    begun: object = graph.building
    known = keras_class(holder.name) if isinstance(holder, LibraryObject) else None
    if begun is building and holder.cells.get(BUILDING) is begun and (known is None or known.weights):
        names = dict.fromkeys(layer.cls.name for layer in building.layers)
        machine.log.applied(INITIAL_VALUES, None, node, layers=", ".join(names))


def _trace(graph: Graph | None) -> Graph | None:
    """The trace of a graph function under way; a functional model's own graph is none."""
    while graph is not None and not (graph.kind == "trace" and graph.trace):
        graph = graph.parent
    return graph
