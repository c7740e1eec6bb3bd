"""Weights: what a trace takes in by reference, and what it keeps of an automatic build of Keras 3."""

import ast
from collections.abc import Sequence

from graphdoctor.dryrun.core.context import Graph
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.tables.tables import keras_class
from graphdoctor.dryrun.values import Instance, LibraryObject, Method, Value, Variable, numbers
from graphdoctor.recording.format import INITIAL_VALUES

ASKED = ("lookup", "size")


def note_resource(machine: Machine, *alternatives: Variable | LibraryObject) -> None:
    """Note that the trace under way surely takes in a resource, or one of several.

    What traces inside it take in belongs to the outermost one, whose graph is the one that is saved.
    """
    outermost = next((graph for graph in machine.graphs if graph is not None), None)
    if outermost is None or outermost.function is None or not all(map(_stands_outside, alternatives)):
        return
    if machine.may == outermost.may and not (machine.some or machine.asked or machine.budget_exhausted):
        numbers = tuple(each.origin.number for each in alternatives)
        outermost.function.resources.setdefault(numbers, alternatives)


def _stands_outside(value: Variable | LibraryObject) -> bool:
    """Run on 2.21: a table is never a part of the graph in which it is made."""
    return value.origin.graph is None or (isinstance(value, LibraryObject) and value.kind == "table")


def note_chosen(machine: Machine, callees: Sequence[Value]) -> None:
    """Note that one of several tables is asked, and it is unknown which."""
    tables = [
        each.receiver
        for each in callees
        if isinstance(each, Method)
        and isinstance(each.receiver, LibraryObject)
        and each.receiver.kind == "table"
        and each.name in ASKED
    ]
    if len(tables) == len(callees):
        note_resource(machine, *tables)


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
