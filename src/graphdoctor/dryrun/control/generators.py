"""Generators: the body of the loop that goes through one runs at each `yield`, as in Python."""

import ast
from collections.abc import Callable

from graphdoctor.dryrun.control.flow import CONTINUE, NEXT, RAISE, Flow, LoopLeft, Raised
from graphdoctor.dryrun.core.arguments import bind
from graphdoctor.dryrun.core.context import Activation, Around, LoopRun, Yielding
from graphdoctor.dryrun.core.function_bodies import enter, leave
from graphdoctor.dryrun.core.machine import Machine, expression
from graphdoctor.dryrun.values import NONE, UNKNOWN, AbstractNumber, Constant, Generator, Sequence, Value
from graphdoctor.dryrun.values.iteration import element, items_of, iterated
from graphdoctor.dryrun.values.joining import join_all


def all_yields(
    machine: Machine, generator: Generator, node: ast.AST, loop: LoopRun | None = None
) -> Sequence:
    """What a generator yields: one by one where each is known, else what they have in common.

    `loop` goes through it: an iteration of a loop in the generator is one of that loop, too.
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
        first, number = generator.first, Constant if found.certain else lambda place: AbstractNumber("int")
        rows = [(number(place), value) for place, value in enumerate(found.values, first)]
        found.values = [Sequence("tuple", row, generator.origin) for row in rows]
    if found.certain:
        return Sequence("iterator", tuple(found.values), generator.origin)
    return Sequence("iterator", None, generator.origin, join_all(found.values))


def run_through(
    machine: Machine, generator: Generator, loop: LoopRun, body: Callable[[Value], Flow]
) -> tuple[Flow, Sequence | None]:
    """Run a generator together with the loop that goes through it: its body runs at each `yield`.

    Gives how the loop ended, and what is left for it to go over: values that are yielded under a condition
    whose outcome is unknown, where both outcomes are joined only after the generator has ended; or what an
    unknown generator may give.
    """
    callee = generator.function
    active = [each.function.node for each in machine.activations if each.function is not None]
    if callee is None or active.count(callee.node) >= 2:
        return NEXT, all_yields(machine, generator, loop.node)
    around = len(machine.loops)
    machine.loops.append(loop)
    values = bind(callee, generator.arguments, generator.origin)
    activation = enter(machine, callee, values, generator.arguments)
    found = activation.yields = Yielding(loop, machine.heap.attempts, machine.may)
    loop.iteration = 0

    def consume(value: Value) -> None:
        loop.iteration += 1
        within = machine.loops[around + 1 :]
        loop.exact = all(each.exact for each in within)
        if generator.first is not None:
            place = (
                Constant(generator.first + loop.iteration - 1)
                if loop.exact
                else AbstractNumber("int", frozenset(within))
            )
            value = Sequence("tuple", (place, value), generator.origin)
        waiting = _suspend(machine)
        try:
            flow = body(value)
        except Raised as raised:
            found.raised = raised
            flow = RAISE
        finally:
            _resume(machine, waiting)
        for each in within:
            each.targets |= loop.targets
        if flow not in (NEXT, CONTINUE):
            raise LoopLeft(flow)

    found.consumer = consume
    flow = NEXT
    try:
        machine.execute(callee.node.body)  # type: ignore[arg-type]
    except LoopLeft as left:
        flow = left.flow
    except Raised:
        found.certain = False
    finally:
        leave(machine, activation)
        del machine.loops[around:]
    if found.raised is not None:
        raise found.raised
    rest = None
    if flow is NEXT and (found.values or not (found.certain or loop.iteration)):
        rest = Sequence("iterator", None, generator.origin, join_all(found.values))
    loop.iteration = max(1, loop.iteration)
    return flow, rest


def _suspend(machine: Machine) -> Activation:
    """Leave a generator at its `yield`: what runs now is in the call that asked it for a value."""
    waiting = machine.activations.pop()
    machine.activation.handlers += waiting.handlers
    machine.activation.within += waiting.within
    return waiting


def _resume(machine: Machine, waiting: Activation) -> None:
    """Go on with a generator after its `yield`."""
    machine.activation.handlers -= waiting.handlers
    machine.activation.within -= waiting.within
    machine.activations.append(waiting)


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
    machine.activation.within += 1  # what it has opened is unknown
    try:
        return block(join_all(found.values))
    finally:
        machine.activation.within -= 1


@expression(ast.Yield)
def evaluate_yield(machine: Machine, node: ast.Yield) -> Value:
    value = machine.evaluate(node.value) if node.value is not None else NONE
    found = machine.activation.yields
    if found is not None and found.consumer is not None:
        _give(machine, found, value)
        return UNKNOWN
    _note(machine, [value])
    if found is not None and found.around is not None and found.certain:
        _run_block(machine, found.around, value)
    return UNKNOWN


def _run_block(machine: Machine, around: Around, value: Value) -> None:
    """Run the block of the `with` that waits for this `yield`, in the call that it stands in."""
    if around.flow is not None or len(machine.loops) != around.loops:
        return
    waiting = _suspend(machine)
    around.flow = NEXT
    try:
        around.flow = around.block(value)
    except Raised:
        around.raised = True
        raise
    finally:
        _resume(machine, waiting)


def _give(machine: Machine, found: Yielding, value: Value) -> None:
    """Run the loop that waits for a value; under a condition of unknown outcome it is kept for later."""
    assert found.consumer is not None
    if (machine.heap.attempts, machine.may) == (found.depth, found.may):
        found.consumer(value)
    else:
        found.values.append(value)


@expression(ast.YieldFrom)
def evaluate_yield_from(machine: Machine, node: ast.YieldFrom) -> Value:
    value = iterated(machine, machine.evaluate(node.value), node)
    found = machine.activation.yields
    if found is not None and found.consumer is not None:
        _give_each(machine, found, value, node)
        return UNKNOWN
    if isinstance(value, Generator):
        value = all_yields(machine, value, node, found.loop if found is not None else None)
    items = items_of(machine, value)
    _note(machine, items if items is not None else [element(machine, value, node)], items is not None)
    return UNKNOWN


def _give_each(machine: Machine, found: Yielding, value: Value, node: ast.YieldFrom) -> None:
    """`yield from`: a loop of the generator's own, which yields each element."""
    from graphdoctor.dryrun.control.loops import loop_over

    taken: list[Value] = []

    def give() -> Flow:
        _give(machine, found, taken[-1])
        return NEXT

    loop_over(machine, node, taken.append, value, give)


def _note(machine: Machine, values: list[Value] | tuple[Value, ...], certain: bool = True) -> None:
    found = machine.activation.yields
    if found is not None:
        found.values.extend(values)
        found.certain &= certain and (machine.heap.depth, machine.may) == (found.depth, found.may)
