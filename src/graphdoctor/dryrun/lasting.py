"""What a loop does from some turn on: a condition on a number that only rises, and what changes under it."""

from __future__ import annotations

import ast
from typing import Any, Final

from graphdoctor.dryrun.context import LoopRun
from graphdoctor.dryrun.cycles import values_in_turn
from graphdoctor.dryrun.fewness import MOST_FEW
from graphdoctor.dryrun.heap import Change, Changes
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.values import Cells, Known, Scalar, Sequence, Value
from graphdoctor.source.nodes import walk
from graphdoctor.source.remembering import remembered

NUMBERS: Final = ("int", "float", "number")
REVERSED: Final = {"lt": "gt", "le": "ge"}


def counts_up(iterable: ast.expr) -> bool:
    """Whether it is `range` of one or two bounds, which has no step to count down."""
    return isinstance(iterable, ast.Call) and len(iterable.args) < 3 and not iterable.keywords


def holds_at_last(machine: Machine, comparison: str, left: Value, right: Value) -> bool:
    """Whether `left > right` and the like hold from some turn of a loop on, for many turns."""
    if comparison in REVERSED:
        comparison, left, right = REVERSED[comparison], right, left
    if comparison not in ("gt", "ge") or not isinstance(left, Scalar) or left.linear[1] <= 0:
        return False
    loops = [loop for loop in machine.loops if left.linear[0] in loop.rising and loop not in right.varies]
    bound = right.value if isinstance(right, Known) and isinstance(right.value, (int, float)) else 0
    return any(loop.count is None or loop.count - bound > MOST_FEW for loop in loops)


def note_going_on(machine: Machine, under: Changes) -> None:
    """What changes under a condition that holds at last changes at each turn: its values are many."""
    loop = machine.loops[-1] if machine.loops else None
    if loop is None or any(_is_emptied(change) for change in under.values()):
        return
    for change in under.values():
        now = change.cells.get(change.key)
        if not isinstance(now, Scalar) or not now.few or now.type not in NUMBERS:
            continue
        values = values_of(machine, loop, change.cells, change.key, under)
        if values is not None and len(values) > MOST_FEW:
            many = Scalar(now.type, now.varies | {loop}, False, now.paths)
            machine.heap.put(change.cells, change.key, many)
            loop.goes_on = True


def _is_emptied(change: Change) -> bool:
    """Whether a list is begun anew: what is asked of its length will not hold at the next turn."""
    after = change.after.items if isinstance(change.after, Sequence) else change.after
    return after == () and change.key != "grows"


def values_of(
    machine: Machine, loop: LoopRun, cells: Cells, key: object, changes: Changes
) -> set[Any] | None:
    """The values that a number takes which a loop changes again and again, or more than a few of them."""
    before = {**cells, **{each.key: each.before for each in changes.values() if each.cells is cells}}
    numbers = {str(name): value.value for name, value in before.items() if isinstance(value, Known)}
    numbers = {name: number for name, number in numbers.items() if isinstance(number, (int, float))}
    if cells is machine.scope.cells:
        return values_in_turn(loop.node, str(key), numbers)
    module, node = machine.written.get((id(cells), key), (None, None))
    method = _method_around(module.syntax.tree, node) if module is not None and node is not None else None
    if method is None or not method.args.args:
        return None
    own = method.args.args[0].arg
    return values_in_turn(method, f"{own}.{key}", {f"{own}.{name}": each for name, each in numbers.items()})


@remembered(1024)
def _method_around(tree: ast.AST, node: ast.AST) -> ast.FunctionDef | None:
    """The function of a file in which an attribute is set; None for one that makes the object."""
    line = getattr(node, "lineno", 0)
    around = [
        each
        for each in walk(tree)
        if isinstance(each, ast.FunctionDef) and each.lineno <= line <= (each.end_lineno or 0)
    ]
    inner = max(around, key=lambda each: each.lineno, default=None)
    return inner if inner is not None and inner.name != "__init__" else None
