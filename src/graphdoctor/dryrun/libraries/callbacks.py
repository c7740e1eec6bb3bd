"""Functions that a library calls: whether AutoGraph converts them depends on who calls."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.context import Graph
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import Tensor, Value
from graphdoctor.dryrun.values.iteration import fresh
from graphdoctor.dryrun.values.structures import rebuilt


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


def brought_up(machine: Machine, value: Value, inner: Graph, node: ast.AST) -> Value:
    """A result of an inner graph, as the graph around sees it."""

    def moved(part: Value) -> Value:
        within = isinstance(part, Tensor) and part.graph is not None and part.graph.within(inner)
        return part.moved(machine.origin(node)) if isinstance(part, Tensor) and within else part

    return rebuilt(value, moved, machine.origin(node))
