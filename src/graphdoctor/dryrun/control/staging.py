"""AutoGraph: `if` on a tensor becomes a branch of the graph, each side in a graph of its own."""

import ast
from collections.abc import Callable

from graphdoctor.dryrun.control.carried_state import Carried, carried_by, is_read_later, move_out
from graphdoctor.dryrun.control.flow import BREAK, CONTINUE, NEXT, RETURN, Flow
from graphdoctor.dryrun.control.path_conditions import branch
from graphdoctor.dryrun.control.staging_conflicts import compare, returned_differently
from graphdoctor.dryrun.core.context import Graph, LoopRun, Returned
from graphdoctor.dryrun.core.heap import Changes
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import Tensor, Union, Value, Variable
from graphdoctor.dryrun.values.joining import MISSING
from graphdoctor.recording.format import ASSUMED


def is_symbolic(machine: Machine, value: Value) -> bool:
    """Whether a value has no value while tracing."""
    if machine.graph is None:
        return False
    return isinstance(value, Variable) or (isinstance(value, Tensor) and value.graph is not None)


def has_features(machine: Machine) -> bool:
    """Whether AutoGraph was asked to convert more than it does by itself: assertions, `print`."""
    function = machine.graph.function if machine.graph is not None else None
    return function is not None and "experimental_autograph_options" in function.options


def is_staged(machine: Machine, value: Value) -> bool:
    """Whether AutoGraph makes graph of what this value decides; code it does not convert raises there.

    A tensor from outside the trace has a value, and decides as Python does where nothing is converted.
    """
    if machine.graph is None:
        return False
    if isinstance(value, Union):
        return all(is_staged(machine, each) for each in value.alternatives)
    if machine.unconverted:
        return is_symbolic(machine, value)
    return isinstance(value, (Tensor, Variable))


def may_be_staged(machine: Machine, value: Value) -> bool:
    """Whether one of the values that this may be would be staged."""
    if machine.graph is None:
        return False
    if not isinstance(value, Union):
        return is_staged(machine, value)
    return any(is_staged(machine, one) for one in value.alternatives)


def may_be_list(machine: Machine, value: Value) -> bool:
    """Whether this stands for a parameter that is only assumed to be one tensor: `inputs` of a layer."""
    if isinstance(value, Tensor) and value.supposed:
        return True
    graph = machine.graph
    return (
        graph is not None
        and graph.evidence == ASSUMED
        and isinstance(value, Tensor)
        and value.dtype is None
        and value.shape is None
    )


def is_one_tensor(machine: Machine, value: Value) -> bool:
    """Whether it is a symbolic tensor, and no structure of tensors that is taken or annotated for one."""
    if isinstance(value, Tensor) and value.annotated:
        return False
    return is_symbolic(machine, value) and not may_be_list(machine, value)


def refuse(machine: Machine, construct: str, decided_by: ast.AST) -> None:
    """Write down that a tensor decides something in code that AutoGraph does not convert: it raises."""
    blocker = machine.activation.blocker
    machine.log.staging(construct, "refused", decided_by, machine.unconverted, blocked_by=blocker)


class Side:
    """One side of a staged `if`: how it ended, what it returned, and which statement set each name."""

    def __init__(self) -> None:
        self.returned: list[Returned] = []
        self.bound: dict[str, ast.AST] = {}


def stage_if(machine: Machine, node: ast.If) -> Flow:
    """Run both sides in graphs of their own, compare what they leave, and join it in the graph around."""
    activation = machine.activation
    carried = carried_by(machine, [node])
    before = dict(activation.scope.cells)
    known_returns, bound = len(activation.returns), dict(activation.bound)
    sides = Side(), Side()

    def run(side: Side, body: list[ast.stmt]) -> Callable[[], Flow]:
        def ran() -> Flow:
            activation.bound = dict(bound)
            try:
                return in_subgraph(machine, "if", lambda: machine.execute(body))
            finally:
                side.returned, side.bound = activation.returns[known_returns:], activation.bound
                del activation.returns[known_returns:]

        return ran

    actions = [run(sides[0], node.body), run(sides[1], node.orelse)]
    flow, outcomes = branch(machine, actions, unknown=False)
    activation.returns += sides[0].returned + sides[1].returned
    activation.bound = {**sides[1].bound, **sides[0].bound}
    (first, changes), (second, other_changes) = outcomes
    if _go_on(machine, first, second):
        _compare_sides(machine, node, carried, before, (changes, other_changes), sides)
    elif (first is RETURN) != (second is RETURN):
        activation.staged_returns += 1
    elif first is RETURN and second is RETURN:
        returned_differently(machine, node.test, activation.returns[known_returns:])
    machine.log.staging("if", "graph", node.test)
    move_out(machine, carried, before)
    return flow


def _go_on(machine: Machine, first: Flow, second: Flow) -> bool:
    """Whether what follows sees the names of both sides; AutoGraph's loops go on after a `break`."""
    loop = machine.loops[-1] if machine.loops else None
    staged = loop is not None and loop.graph and loop.activation is machine.activation
    ways = (NEXT, BREAK, CONTINUE) if staged else (NEXT,)
    return first in ways and second in ways


def in_subgraph(machine: Machine, kind: str, action: Callable[[], Flow], loop: LoopRun | None = None) -> Flow:
    """Run something in a part of the current graph of its own; `loop` is the one whose iteration it is."""
    activation = machine.activation
    around = machine.graph
    assert around is not None
    inner = Graph(around, kind, unconverted=around.unconverted)
    inner.base, inner.may, inner.loop = around.base, machine.may, loop
    activation.staged += 1
    try:
        with machine.in_graph(inner):
            return action()
    finally:
        activation.staged -= 1


def _compare_sides(
    machine: Machine,
    node: ast.If,
    carried: list[Carried],
    before: dict[object, Value],
    changes: tuple[Changes, Changes],
    sides: tuple[Side, Side],
) -> None:
    for each in carried:
        place = (id(each.cells), each.key)
        if place not in changes[0] and place not in changes[1]:
            continue
        if each.is_name and not is_read_later(machine, each.name, node):
            continue
        unchanged = before.get(each.key, MISSING) if each.is_name else each.before
        here, there = (part[place].after if place in part else unchanged for part in changes)
        if not each.is_name and each.is_open and MISSING in (here, there):
            continue
        places = sides[0].bound.get(each.name), sides[1].bound.get(each.name)
        compare(machine, "if", node, each.name, here, there, places)
