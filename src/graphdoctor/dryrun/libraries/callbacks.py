"""Functions that a library calls: whether AutoGraph converts them depends on who calls."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.context import Graph
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import Dictionary, Sequence, Tensor, Value
from graphdoctor.dryrun.values.iteration import fresh


def call_unconverted(
    machine: Machine, callee: Value, values: list[Value], node: ast.AST, through: str, subgraph: str = ""
) -> Value:
    """Call a function as it is: what a tensor decides in it raises.

    `subgraph`: what it makes belongs to a graph of its own, of this kind.
    """
    graph = machine.graph
    if graph is None:
        activation = machine.activation
        around, activation.entered = activation.entered, through
        try:
            return machine.call(callee, Arguments(values), node)
        finally:
            activation.entered = around
    inner = Graph(graph, subgraph or "callback", unconverted=machine.unconverted or f"callback:{through}")
    machine.enter_graph(inner)
    try:
        result = machine.call(callee, Arguments([fresh(machine, each, node) for each in values]), node)
    finally:
        machine.leave_graph()
    return brought_up(machine, result, inner, node)


def call_converted(
    machine: Machine, callee: Value, values: list[Value], node: ast.AST, subgraph: str = ""
) -> Value:
    """Call a function as the code around is: converted where that is."""
    graph = machine.graph
    if graph is None or not subgraph:
        return machine.call(callee, Arguments(values), node)
    inner = Graph(graph, subgraph, unconverted=machine.unconverted)
    machine.enter_graph(inner)
    try:
        result = machine.call(callee, Arguments([fresh(machine, each, node) for each in values]), node)
    finally:
        machine.leave_graph()
    return brought_up(machine, result, inner, node)


def brought_up(machine: Machine, value: Value, inner: Graph, node: ast.AST, depth: int = 0) -> Value:
    """A result of an inner graph, as the graph around sees it."""
    if isinstance(value, Tensor) and value.graph is not None and value.graph.within(inner):
        return value.moved(machine.origin(node))
    if isinstance(value, Sequence) and value.items is not None and depth < 4:
        items = tuple(brought_up(machine, item, inner, node, depth + 1) for item in value.items)
        return Sequence(value.kind, items, machine.origin(node), fields=value.fields)
    if isinstance(value, Dictionary) and depth < 4:
        cells = {k: brought_up(machine, v, inner, node, depth + 1) for k, v in value.cells.items()}
        return value.like(cells, machine.origin(node))
    return value
