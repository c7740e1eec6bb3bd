"""AutoGraph: `if` on a tensor becomes a branch of the graph, each side in a graph of its own."""

from __future__ import annotations

import ast
from collections.abc import Callable

from graphdoctor.dryrun.branching import branch
from graphdoctor.dryrun.conflicts import compare, returned_differently
from graphdoctor.dryrun.context import Activation, Graph
from graphdoctor.dryrun.dtypes import dtype_of
from graphdoctor.dryrun.flow import NEXT, RETURN, Flow
from graphdoctor.dryrun.heap import Changes
from graphdoctor.dryrun.joining import MISSING, python_type, same
from graphdoctor.dryrun.liveness import is_read_later
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.values import Choice, Tensor, Value, Variable
from graphdoctor.recording.format import Conflict


def is_symbolic(machine: Machine, value: Value) -> bool:
    """Whether a value has no value while tracing."""
    if machine.graph is None:
        return False
    return isinstance(value, Variable) or (isinstance(value, Tensor) and value.graph is not None)


def is_staged(machine: Machine, value: Value) -> bool:
    """Whether AutoGraph makes graph of what this value decides; code it does not convert raises there.

    A tensor from outside the trace has a value, and decides as Python does where nothing is converted.
    """
    if machine.graph is None:
        return False
    if isinstance(value, Choice):
        return all(is_staged(machine, each) for each in value.alternatives)
    if machine.unconverted:
        return is_symbolic(machine, value)
    return isinstance(value, Tensor | Variable)


def refuse(machine: Machine, construct: str, node: ast.AST, decided_by: ast.AST) -> None:
    """Write down that a tensor decides something in code that AutoGraph does not convert: it raises."""
    machine.log.staging(construct, "refused", decided_by, reason=machine.unconverted)


def stage_if(machine: Machine, node: ast.If) -> Flow:
    """Run both sides in graphs of their own, compare what they leave, and join it in the graph around."""
    activation = machine.activation
    cells = activation.scope.cells
    before = dict(cells)
    known_returns = len(activation.returns)
    returned: list[list] = [[], []]  # type: ignore[type-arg]

    def side(position: int, body: list[ast.stmt]) -> Callable[[], Flow]:
        def run() -> Flow:
            try:
                return in_subgraph(machine, "if", lambda: machine.execute(body))
            finally:
                returned[position] = activation.returns[known_returns:]
                del activation.returns[known_returns:]

        return run

    flow, outcomes = branch(machine, [side(0, node.body), side(1, node.orelse)], unknown=False)
    activation.returns += returned[0] + returned[1]
    (first, changes), (second, other_changes) = outcomes
    if first is NEXT and second is NEXT:
        _compare_sides(machine, node, before, changes, other_changes)
    elif (first is RETURN) != (second is RETURN):
        activation.staged_returns += 1
    elif first is RETURN and second is RETURN:
        returned_differently(machine, node, activation.returns[known_returns:])
    machine.log.staging("if", "graph", node.test)
    bring_out(machine, activation, before)
    return flow


def in_subgraph(machine: Machine, kind: str, action: Callable[[], Flow]) -> Flow:
    """Run something in a part of the current graph of its own."""
    activation = machine.activation
    around = machine.graph
    machine.graphs.append(Graph(around, kind, unconverted=around.unconverted if around else ""))
    activation.staged += 1
    try:
        return action()
    finally:
        activation.staged -= 1
        machine.graphs.pop()


def _compare_sides(
    machine: Machine, node: ast.If, before: dict[object, Value], changes: Changes, other_changes: Changes
) -> None:
    cells = machine.scope.cells
    local = id(cells)
    for place in dict.fromkeys([*changes, *other_changes]):
        name = place[1]
        if place[0] != local or not isinstance(name, str) or name.startswith("__"):
            continue
        unchanged = before.get(name, MISSING)
        here = changes[place].after if place in changes else unchanged
        there = other_changes[place].after if place in other_changes else unchanged
        if not is_read_later(machine, name, node):
            continue
        if here is MISSING or there is MISSING:
            conflict = Conflict(kind="undefined", name=name)
            machine.log.staging("if", "refused", node, reason="undefined", conflict=conflict)
        else:
            compare(machine, "if", node, name, here, there)


def bring_out(machine: Machine, activation: Activation, before: dict[object, Value]) -> None:
    """What staged code left in the call's names belongs to the graph around it, as tensors."""
    cells = activation.scope.cells
    for name, value in list(cells.items()):
        if before.get(name) is value or not isinstance(value, Value):
            continue
        if isinstance(value, Tensor) and value.graph is not None and value.graph is not machine.graph:
            machine.heap.put(cells, name, value.moved(machine.origin(value.origin.node or ast.Pass())))
        elif python_type(value) and name in before and not same(before[name], value):
            origin = machine.origin(activation.node or ast.Pass())
            machine.heap.put(cells, name, Tensor(dtype_of(value), (), origin))
