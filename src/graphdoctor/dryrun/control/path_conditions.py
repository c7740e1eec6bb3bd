"""Several paths on, each run from one state and joined; what a condition chose, an equal one knows later.

`if self.pooled: self.head = Pool() else: self.head = Flat()`, and later `if self.pooled: self.head(x)`.
"""

import ast
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from graphdoctor.dryrun.control.flow import BREAK, CONTINUE, NEXT, RAISE, RETURN, Flow
from graphdoctor.dryrun.core.context import LoopRun
from graphdoctor.dryrun.core.heap import Changes
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.core.scopes import holder_of
from graphdoctor.dryrun.values import NOTHING, Cells, Instance, LibraryObject, Union, Value
from graphdoctor.dryrun.values.joining import MISSING
from graphdoctor.source.nodes import walk

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


MOST_CHOICES = 64  # of one condition
SAME: dict[type[ast.cmpop], bool] = {ast.Eq: True, ast.Is: True, ast.NotEq: False, ast.IsNot: False}


class Question(NamedTuple):
    """What a condition asks: of a cell, or of attributes of what is there; `positive`: without `not`."""

    cells: Cells
    key: Any
    attributes: tuple[str, ...]
    compared: Hashable
    positive: bool

    @property
    def identity(self) -> tuple[Hashable, ...]:
        return id(self.cells), self.key, self.attributes, self.compared


class BranchChoice(NamedTuple):
    """A cell that has one of two values, as a condition says."""

    cells: Cells
    key: Any
    together: Union
    yes: Value
    no: Value


def question(machine: Machine, test: ast.expr) -> Question | None:
    """What a condition asks, where it asks one thing: `self.a`, `not a`, `a.b is None`, `a == "text"`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = question(machine, test.operand)
        return inner._replace(positive=not inner.positive) if inner is not None else None
    compared: Hashable = bool
    positive = True
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.comparators[0], ast.Constant):
        if type(test.ops[0]) not in SAME:
            return None
        positive, constant = SAME[type(test.ops[0])], test.comparators[0].value
        compared, test = (type(constant), constant), test.left
    attributes: list[str] = []
    while isinstance(test, ast.Attribute):
        attributes.insert(0, test.attr)
        test = test.value
    scope = holder_of(machine, test.id) if isinstance(test, ast.Name) else None
    if scope is None or not isinstance(test, ast.Name):
        return None
    cells, key = scope.cells, test.id
    while attributes:
        held = cells[key]
        if not isinstance(held, (Instance, LibraryObject)) or attributes[0] not in held.cells:
            break
        cells, key = held.cells, attributes.pop(0)
    return Question(cells, key, tuple(attributes), compared, positive)


def note_chosen(machine: Machine, asked: Question, outcomes: list[Outcome]) -> None:
    """Remember what the two ways of a condition made of each cell, where they went on with two values."""
    if any(flow is not NEXT for flow, _ in outcomes):
        return
    yes, no = (changes for _, changes in outcomes)
    found: list[BranchChoice] = []
    for place, change in {**no, **yes}.items():
        together = change.cells.get(change.key)
        first, second = (way[place].after if place in way else change.before for way in (yes, no))
        if isinstance(together, Union) and MISSING not in (first, second):
            sides = (first, second) if asked.positive else (second, first)
            found.append(BranchChoice(change.cells, change.key, together, *sides))
    for each in (asked, *_kept_as(machine, asked)) if found else ():
        written = machine.written.get((id(each.cells), each.key))
        earlier, _, known = machine.chosen.get(each.identity, (written, each.cells, []))
        kept = known if earlier is written else []  # what another value has chosen, this one has not
        machine.chosen[each.identity] = (written, each.cells, [*kept, *found][:MOST_CHOICES])


def _kept_as(machine: Machine, asked: Question) -> Iterator[Question]:
    """The attributes in which a function keeps what a condition asks for: `self.pooled = pooled`."""
    function = machine.activation.function
    if function is None or asked.attributes or asked.cells is not machine.scope.cells:
        return
    for node in walk(function.node):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id == asked.key:
            for target in node.targets:
                whole = question(machine, target) if isinstance(target, ast.Attribute) else None
                if whole is not None and len(whole.attributes) <= 1:
                    holder = whole.cells.get(whole.key)
                    if whole.attributes and isinstance(holder, Instance):  # it comes later
                        whole = whole._replace(cells=holder.cells, key=whole.attributes[0], attributes=())
                    yield whole._replace(compared=asked.compared)


def choose(machine: Machine, asked: Question, holds: bool) -> None:
    """Where a condition holds, or does not: what was chosen by the same one before is known."""
    written, _, known = machine.chosen.get(asked.identity, (None, asked.cells, []))
    now = machine.written.get((id(asked.cells), asked.key))
    if written is not None and written is not now:
        return
    for each in known:
        if each.cells.get(each.key) is each.together:
            machine.doubted.add((id(each.cells), each.key))  # it is still one of both, once we leave
            machine.heap.put(each.cells, each.key, each.yes if holds == asked.positive else each.no)
