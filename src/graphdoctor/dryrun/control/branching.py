"""Several ways on: each is run from the same state, then what they left is joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from graphdoctor.dryrun.control.flow import BREAK, CONTINUE, NEXT, RAISE, RETURN, Flow
from graphdoctor.dryrun.core.context import LoopRun
from graphdoctor.dryrun.core.heap import Changes
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import NOTHING

Outcome = tuple[Flow, Changes]


def branch(
    machine: Machine,
    actions: Sequence[Callable[[], Flow]],
    varies: frozenset[LoopRun] = NOTHING,
    unknown: bool = True,
    doubtful: bool = False,
    chosen: bool = False,
) -> tuple[Flow, list[Outcome]]:
    """How the program goes on after one of the actions, and what each of them did.

    A condition that differs at the iterations of a loop takes all ways in time: what is under it is certain,
    as long as the loop runs. So does one outside graphs, in some run of the program: people write no way that
    is never taken. That is no longer said where it is `doubtful`: what is under it ends the condition itself;
    nor in a graph of two conditions of one loop, one inside the other: one may exclude the other.
    `chosen`: the way was chosen before, outside graphs.
    """
    aside = unknown and (doubtful or varies.isdisjoint(machine.loops))
    again = (
        unknown and not aside and any(not varies.isdisjoint(outer) for outer in machine.varying_conditions)
    )
    may = (aside and doubtful) or ((aside or again) and bool(machine.graphs) and not chosen)
    sometimes = unknown and not aside and not may
    some = aside and not may
    outcomes: list[Outcome] = []
    for action in actions:
        machine.may += may
        machine.sometimes += sometimes
        machine.some += some
        machine.varying_conditions.append(varies if sometimes else NOTHING)
        try:
            outcomes.append(machine.heap.attempt(action))
        finally:
            machine.varying_conditions.pop()
            machine.may -= may
            machine.sometimes -= sometimes
            machine.some -= some
    flow = _merge(machine, outcomes, varies)
    if may and flow is NEXT and any(each in (RETURN, BREAK, CONTINUE) for each, _ in outcomes):
        machine.activation.may_rest += 1
        machine.may += 1
    return flow, outcomes


def _merge(machine: Machine, outcomes: list[Outcome], varies: frozenset[LoopRun]) -> Flow:
    local = id(machine.scope.cells)
    goes_on = any(flow is NEXT for flow, _ in outcomes)

    # Names of a call that is over on a way are gone; what it did to objects is not.
    ways = [changes for flow, changes in outcomes if flow is not RAISE]
    staying = [changes for flow, changes in outcomes if flow is NEXT] if goes_on else ways
    changed: Changes = {}
    for flow, changes in outcomes:
        if flow is RAISE:
            continue
        leaving = goes_on and flow is not NEXT
        for key, change in changes.items():
            if key not in changed and not (leaving and key[0] == local):
                changed[key] = change
        loop = machine.activation.loop if leaving and flow is not RETURN else None
        if loop is not None:
            own = {change.key: change.after for key, change in changes.items() if key[0] == local}
            loop.left.append({**machine.scope.cells, **own})
    for key, change in changed.items():
        values = []
        for changes in staying if key[0] == local else ways:
            known = changes.get(key)
            values.append(change.before if known is None else known.after)
        machine.heap.merge(change.cells, change.key, values, varies)
    if goes_on:
        return NEXT
    flows = {flow for flow, _ in outcomes}
    return next((flow for flow in (CONTINUE, BREAK, RETURN) if flow in flows), RAISE)
