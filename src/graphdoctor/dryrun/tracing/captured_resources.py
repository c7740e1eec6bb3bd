"""What graphs take in from outside by reference: Variables, lookup tables, the weights of layers."""

from __future__ import annotations

from collections.abc import Sequence

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import LibraryObject, Method, Value, Variable

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
