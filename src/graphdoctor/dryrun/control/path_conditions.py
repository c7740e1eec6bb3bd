"""Path conditions: what was chosen under one condition is known under a later one that asks the same.

`if self.pooled: self.head = Pool() else: self.head = Flat()`, and later `if self.pooled: self.head(x)`.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

from graphdoctor.dryrun.control.branching import Outcome
from graphdoctor.dryrun.control.flow import NEXT
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.core.scopes import holder_of
from graphdoctor.dryrun.values import Cells, Instance, LibraryObject, Union, Value
from graphdoctor.dryrun.values.joining import MISSING
from graphdoctor.source.nodes import walk

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
