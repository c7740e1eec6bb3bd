"""What a loop makes of numbers: each iteration finds what the one before has left.

A number that an iteration reads from a cell which it has not set carries a term of that cell. What the
iteration leaves there is a term of what it found: a recurrence, whose values are computed.
"""

import ast
from typing import Any, Final

from graphdoctor.dryrun.core.context import LoopRun
from graphdoctor.dryrun.core.escape_analysis import names_bound
from graphdoctor.dryrun.core.heap import Change, Changes
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import (
    AbstractNumber,
    Cells,
    Constant,
    Sequence,
    Setting,
    Stepped,
    Value,
    term_of,
    terms,
)
from graphdoctor.source.remembering import remembered

NUMBERS: Final = ("int", "float", "number")
PLAIN: Final = (int, float)
STEPPING: Final = frozenset((Constant, Setting, Stepped))


def counts_up(iterable: ast.expr) -> bool:
    """Whether it is `range` of one or two bounds, which has no step to count down."""
    return isinstance(iterable, ast.Call) and len(iterable.args) < 3 and not iterable.keywords


def stepped(machine: Machine, value: Any, cells: Cells, key: Any) -> Value:
    """A number that is read from a cell, as one that the loop under way carries on, if it may set it."""
    if not isinstance(value, Constant) or value.value.__class__ not in PLAIN:
        return value  # type: ignore[no-any-return]
    place = (id(cells), key)
    loop = _carrying(machine)
    if machine.stamps.get(place, -1) >= loop.step:
        return value
    own = cells is loop.activation.scope.cells and key in names_bound(loop.node)
    if own or (cells is not machine.scope.cells and key in _set_from_afar(machine.module.syntax.tree)):
        return Stepped(value.value, terms.carried(loop, place, value.value))
    return value


def _carrying(machine: Machine) -> LoopRun:
    """The innermost loop of which a typical iteration is run; else the innermost one."""
    return next((loop for loop in reversed(machine.loops) if not loop.exact), machine.loops[-1])


def moved_on(machine: Machine, value: Value, cells: Cells, key: Any) -> Value:
    """A number that is written to a cell; in a loop whose iterations are all run, it is a new one each time

    where each way to it is a sum or product of what the cell held.
    """
    if isinstance(value, AbstractNumber) and machine.loops and _carrying(machine).exact:
        loop = machine.loops[-1]
        if (value.few or loop not in value.varies) and terms.goes_on(value.term, (id(cells), key)):
            return AbstractNumber(value.type, value.varies | {loop}, False, value.paths)
    return value


def computed_of(result: Value, given: list[Value]) -> Value:
    """A constant that a library has computed of numbers which a loop carries on."""
    terms_given = [value.term for value in given if isinstance(value, Stepped)]
    if not terms_given or not isinstance(result, Constant) or result.value.__class__ not in PLAIN:
        return result
    return Stepped(result.value, terms.unknown(terms.NO_LOOPS.union(*[term.loops for term in terms_given])))


@remembered(1024)
def _set_from_afar(tree: ast.Module) -> frozenset[object]:
    """The outer names, attributes and entries that the functions of a module set, but for constructors."""
    found: set[object] = set()
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            found.add(getattr(node.slice, "value", None))
        if getattr(node, "name", "") != "__init__":
            pending.extend(ast.iter_child_nodes(node))
    return frozenset(found)


def values_of(changes: Changes) -> dict[tuple[int, Any], set[Any]]:
    """The values of numbers that a loop changes again and again, or more than a few of them."""
    steps = {}
    for place, change in changes.items():
        before = change.before
        if isinstance(before, Constant) and before.value.__class__ in PLAIN:
            step = term_of(change.after)
            if step is not None and (step.parts or step.offset != before.value):
                steps[place] = (before.value, step)
    return dict(terms.values_in_turn(steps)) if steps else {}


def note_going_on(machine: Machine, under: Changes) -> None:
    """What changes under a condition that holds at last changes at each iteration: its values are many."""
    loop = machine.loops[-1] if machine.loops else None
    if loop is None or any(_is_emptied(change) for change in under.values()):
        return
    for place, values in values_of(under).items():
        change = under[place]
        now = change.cells.get(change.key)
        if isinstance(now, AbstractNumber) and now.type in NUMBERS and len(values) > terms.MOST_FEW:
            many = AbstractNumber(now.type, now.varies | {loop}, False, now.paths)
            machine.heap.put(change.cells, change.key, many)
            loop.goes_on = True


def _is_emptied(change: Change) -> bool:
    """Whether a list is reset: what is asked of its length will not hold at the next iteration."""
    after = change.after.items if isinstance(change.after, Sequence) else change.after
    return after == () and change.key != "grows"
