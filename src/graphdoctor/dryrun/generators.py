"""Generators: a body runs once, and what it yields is what the loop through it goes over."""

from __future__ import annotations

import ast
from collections.abc import Callable

from graphdoctor.dryrun.arguments import bind
from graphdoctor.dryrun.context import Around, LoopRun, Yielding
from graphdoctor.dryrun.flow import NEXT, Flow, Raised
from graphdoctor.dryrun.iterating import element, items_of, settled
from graphdoctor.dryrun.joining import join_all
from graphdoctor.dryrun.machine import Machine, expression
from graphdoctor.dryrun.running import enter, leave
from graphdoctor.dryrun.values import NONE, UNKNOWN, Generator, Known, Scalar, Sequence, Value


def all_yields(
    machine: Machine, generator: Generator, node: ast.AST, loop: LoopRun | None = None
) -> Sequence:
    """What a generator yields: one by one where each is known, else what they have in common.

    `loop` goes through it: a turn of a loop in the generator is one of that loop, too.
    """
    callee = generator.function
    if callee is None:
        return Sequence("iterator", None, generator.origin, generator.element or UNKNOWN)
    if sum(1 for each in machine.activations if each.function and each.function.node is callee.node) >= 2:
        return Sequence("iterator", None, generator.origin, UNKNOWN)
    values = bind(callee, generator.arguments, generator.origin)
    activation = enter(machine, callee, values, generator.arguments)
    found = activation.yields = Yielding(loop, machine.heap.depth, machine.may)
    try:
        machine.execute(callee.node.body)  # type: ignore[arg-type]
    except Raised:
        found.certain = False
    finally:
        leave(machine, activation)
    if generator.first is not None:
        found.values = [
            Sequence("tuple", (_number(generator.first + place, found.certain), value), generator.origin)
            for place, value in enumerate(found.values)
        ]
    if found.certain:
        return Sequence("iterator", tuple(found.values), generator.origin)
    return Sequence("iterator", None, generator.origin, join_all(found.values))


def _number(place: int, certain: bool) -> Value:
    return Known(place) if certain else Scalar("int")


def run_around(machine: Machine, generator: Generator, block: Callable[[Value], Flow]) -> Flow:
    """`with` a function of `contextlib.contextmanager`: the block runs where that yields.

    Where it is not certain that it comes to its `yield`, or where in a loop, the block runs after it.
    """
    callee = generator.function
    if callee is None:
        return block(generator.element or UNKNOWN)
    values = bind(callee, generator.arguments, generator.origin)
    activation = enter(machine, callee, values, generator.arguments)
    found = activation.yields = Yielding(None, machine.heap.depth, machine.may)
    around = found.around = Around(block, len(machine.loops))
    try:
        machine.execute(callee.node.body)  # type: ignore[arg-type]
    except Raised:
        if around.raised:
            raise
    finally:
        leave(machine, activation)
    if around.flow is not None:
        return around.flow
    machine.activation.within += 1  # what it has opened, nobody knows
    try:
        return block(join_all(found.values))
    finally:
        machine.activation.within -= 1


@expression(ast.Yield)
def evaluate_yield(machine: Machine, node: ast.Yield) -> Value:
    value = machine.evaluate(node.value) if node.value is not None else NONE
    _note(machine, [value])
    found = machine.activation.yields
    if found is not None and found.around is not None and found.certain:
        _run_block(machine, found.around, value)
    return UNKNOWN


def _run_block(machine: Machine, around: Around, value: Value) -> None:
    """Run the block of the `with` that waits for this `yield`, in the call that it stands in."""
    if around.flow is not None or len(machine.loops) != around.loops:
        return
    waiting = machine.activations.pop()
    machine.activation.handlers += waiting.handlers
    machine.activation.within += waiting.within
    around.flow = NEXT
    try:
        around.flow = around.block(value)
    except Raised:
        around.raised = True
        raise
    finally:
        machine.activation.handlers -= waiting.handlers
        machine.activation.within -= waiting.within
        machine.activations.append(waiting)


@expression(ast.YieldFrom)
def evaluate_yield_from(machine: Machine, node: ast.YieldFrom) -> Value:
    value = settled(machine.evaluate(node.value))
    found = machine.activation.yields
    if isinstance(value, Generator):
        value = all_yields(machine, value, node, found.loop if found is not None else None)
    items = items_of(machine, value)
    _note(machine, items if items is not None else [element(machine, value, node)], items is not None)
    return UNKNOWN


def _note(machine: Machine, values: list[Value] | tuple[Value, ...], certain: bool = True) -> None:
    found = machine.activation.yields
    if found is not None:
        found.values.extend(values)
        found.certain &= certain and (machine.heap.depth, machine.may) == (found.depth, found.may)
