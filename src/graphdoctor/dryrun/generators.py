"""Generators: a body runs once, and what it yields is what the loop through it goes over."""

from __future__ import annotations

import ast
from collections.abc import Callable

from graphdoctor.dryrun.arguments import bind
from graphdoctor.dryrun.calling import enter, leave
from graphdoctor.dryrun.context import LoopRun, Yielding
from graphdoctor.dryrun.flow import Raised
from graphdoctor.dryrun.iterating import element, items_of, settled
from graphdoctor.dryrun.joining import element_of, join_all
from graphdoctor.dryrun.machine import Machine, expression
from graphdoctor.dryrun.values import NONE, UNKNOWN, Generator, Sequence, Value


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
    values, _ = bind(callee, generator.arguments, generator.origin)
    activation = enter(machine, callee, values, generator.arguments)
    found = activation.yields = Yielding(loop, machine.heap.depth, machine.may)
    try:
        machine.execute(callee.node.body)  # type: ignore[arg-type]
    except Raised:
        found.certain = False
    finally:
        leave(machine, activation)
    if found.certain:
        return Sequence("iterator", tuple(found.values), generator.origin)
    return Sequence("iterator", None, generator.origin, join_all(found.values))


def enter_generator(
    machine: Machine, generator: Generator, node: ast.AST
) -> tuple[Value, Callable[[], None]]:
    """`with` a function of `contextlib.contextmanager`: its body runs around ours."""
    return element_of(all_yields(machine, generator, node)), lambda: None


@expression(ast.Yield)
def evaluate_yield(machine: Machine, node: ast.Yield) -> Value:
    _note(machine, [machine.evaluate(node.value) if node.value is not None else NONE])
    return UNKNOWN


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
