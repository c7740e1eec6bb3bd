"""What changed behind the back of a trace: state that it read has another value when its graph runs again."""

import ast
from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeGuard

from graphdoctor.dryrun.core.context import LoopRun, SourceModule
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.staleness.allocation import names_iteration
from graphdoctor.dryrun.staleness.bounds import is_seen_by_later_iterations
from graphdoctor.dryrun.staleness.captured_state import LINKS, Capture, is_plain
from graphdoctor.dryrun.staleness.value_numbering import is_drawn
from graphdoctor.dryrun.values import (
    Array,
    Cells,
    Constant,
    Dataset,
    Dictionary,
    GraphFunction,
    Instance,
    LibraryObject,
    Origin,
    Sequence,
    Tensor,
    Value,
)
from graphdoctor.dryrun.values.class_membership import is_member
from graphdoctor.dryrun.values.joining import MISSING, alternatives, python_type, same
from graphdoctor.dryrun.values.slicing import number_in
from graphdoctor.dryrun.values.variable_owners import owns_variables
from graphdoctor.source.nodes import assignment_of, spelled, targets_of, walk

KNOWN, ITERATION, DRAWN, OBJECT, REMADE = "known", "turn", "drawn", "object", "anew"
Holder = Instance | LibraryObject | Dictionary


def find_stale(
    machine: Machine, function: GraphFunction, captures: Mapping[tuple[int, Any], Capture], sure: bool = True
) -> None:
    """Note what has changed since a trace of a function, when a call runs it; `sure`: it is known to."""
    if machine.may:
        return
    moved, inside = _moved(captures), _inside_owners(captures)
    own = set().union(*(loop.targets for loop in function.origin.loops))
    frozen: set[tuple[SourceModule, ast.AST] | None] = set()
    for place, capture in captures.items():
        if capture.flipped is not None:
            _report_flipped(machine, function, capture)
        if place in function.writes or place in own:
            continue  # the name of the loop that makes a function for each of its values
        owner = owns_variables(capture.value)
        if not is_plain(capture.value) and (not owner or place[0] in inside):
            continue
        link, holder = moved.get(place[0], (capture, None))
        cells = capture.cells if holder is None else holder.cells
        now = _value_now(cells, capture.key)
        gone_on = [
            loop
            for loop in machine.loops
            if loop not in function.origin.loops and capture.iterations.get(loop) != loop.iteration
        ]
        differs = _difference(gone_on, capture.value, now) if now is not None else ""
        if now is None or not differs:
            continue
        if (id(cells), capture.key) in machine.doubted and capture.value in alternatives(now):
            continue  # by a condition, say, that the code under it ends: `if self.first: …`
        if differs in (ITERATION, REMADE):
            differs = (
                ITERATION
                if _differs_at_each_iteration(machine, gone_on, (id(cells), capture.key))
                else REMADE
            )
        if owner and holder is not None:  # what was replaced is the object that holds it
            capture, now, cells = link, link.cells.get(link.key, now), link.cells
        written = machine.written.get((id(cells), capture.key))
        if written and gone_on and not any(is_seen_by_later_iterations(loop, written[1]) for loop in gone_on):
            continue
        if capture.state.kind == "trained":
            if written in frozen:
                continue  # `base.trainable = True` is reported for `base`, and not for each layer in it
            frozen.add(written)
        with machine.perhaps(not sure):
            machine.log.stale(function, capture, now, written, differs)


def note_flipped(machine: Machine, places: Iterable[tuple[int, Any]]) -> None:
    """Note that a trace turned a flag that it had asked before, and keeps what the flag decided.

    Keras runs what it traces more than once; of another function the calls tell whether it runs again.
    """
    function = machine.graph.function if machine.graph is not None else None
    if function is None:
        return
    for place in places:
        capture = function.captures.get(place)
        then, now = (capture.value, capture.cells.get(capture.key)) if capture is not None else (None, None)
        if capture is None or not (_is_flag(then) and _is_flag(now)) or same(then, now):
            continue
        capture.flipped = now
        if capture.graph.root.keras:
            _report_flipped(machine, function, capture)


def _is_flag(value: object) -> TypeGuard[Constant]:
    return isinstance(value, Constant) and isinstance(value.value, bool)


def _report_flipped(machine: Machine, function: GraphFunction, capture: Capture) -> None:
    assert capture.flipped is not None
    written = machine.written.get((id(capture.cells), capture.key))
    machine.log.stale(function, capture, capture.flipped, written, KNOWN, kind="flag")


def find_stale_in(machine: Machine, dataset: Dataset) -> None:
    """Note what has changed since the functions of a pipeline were traced, when it runs again.

    What another trace has read since it changed was changed for that one.
    """
    for function in dataset.traced:
        own = {place: each for place, each in function.captures.items() if place not in machine.taken}
        find_stale(machine, function, own)


def _moved(captures: Mapping[tuple[int, Any], Capture]) -> dict[int, tuple[Capture, Holder]]:
    """The objects whose place another one took since the trace: its cells → who read it, the new one.

    What such an object held is in another place with it; who read the outermost of them is named.
    """
    moved: dict[int, tuple[Capture, Holder]] = {}
    for (place, _), capture in captures.items():
        then = capture.value
        if isinstance(then, LINKS) and not is_member(then):
            link, holder = moved.get(place, (capture, None))
            now = (capture.cells if holder is None else holder.cells).get(capture.key)
            if isinstance(now, LINKS) and now is not then and type(now) is type(then):
                moved[id(then.cells)] = (link, now)
    return moved


def _inside_owners(captures: Mapping[tuple[int, Any], Capture]) -> set[int]:
    """The cells of what owns Variables: who replaces a model replaces its layers, which is reported once."""
    owners = [capture.value for capture in captures.values() if owns_variables(capture.value)]
    return {id(owner.cells) for owner in owners}  # type: ignore[attr-defined]


def _value_now(cells: Cells, key: Any) -> Value | None:
    if isinstance(key, tuple) and key and key[0] == "items":
        items = cells.get("items")
        return items[key[1]] if items is not None and -len(items) <= key[1] < len(items) else None
    now = cells.get(key, MISSING)
    return now if isinstance(now, Value) and now is not MISSING else None


def _difference(gone_on: Collection[LoopRun], then: Value, now: Value) -> str:
    """How it is known that a value is another one now, by these loops too; empty where it is not."""
    if now is then:
        return ""
    if owns_variables(then):
        others = [each for each in alternatives(now) if each is not then and owns_variables(each)]
        return OBJECT if any(not _has_the_same_variables(each, then) for each in others) else ""
    if isinstance(now, Array) and number_in(now) is not None and number_in(then) is not None:
        return KNOWN if number_in(now) != number_in(then) else ""
    if isinstance(now, (Tensor, Array)) and type(now) is type(then):
        return _difference_of_numbers(then.origin, now.origin)
    if is_member(now) and is_member(then):
        return KNOWN if now is not then else ""
    if isinstance(then, Sequence) and isinstance(now, Sequence):
        pairs = list(zip(then.items or (), now.items or (), strict=False))
        other = then.items is not None and now.items is not None and len(then.items) != len(now.items)
        found = (_difference(gone_on, a, b) for a, b in pairs)
        return KNOWN if other else next(filter(None, found), "")
    if not python_type(now) and not (isinstance(now, Constant) and now.value is None):
        return ""
    if isinstance(now, Constant) and isinstance(then, Constant):
        return KNOWN if not same(now, then) else ""
    return ITERATION if any(loop in now.varies for loop in gone_on) else ""


def _has_the_same_variables(now: Value, then: Value) -> bool:
    """Whether a model is made of nothing but another one, or of the layers of that one."""
    from graphdoctor.dryrun.gradients.weights import holders_of

    inside, others = _inside(now, holders_of(now).numbers), holders_of(then).numbers
    return bool(inside) and inside in (others, _inside(then, others))


def _inside(value: Value, numbers: frozenset[int]) -> frozenset[int]:
    return numbers - {value.origin.number} if isinstance(value, (Instance, LibraryObject)) else numbers


def _differs_at_each_iteration(
    machine: Machine, gone_on: Collection[LoopRun], place: tuple[int, Any]
) -> bool:
    """Whether it is the element of a loop that went on, computed of that, or of what it was before."""
    if any(place in loop.targets for loop in gone_on):
        return True
    written = machine.written.get(place)
    statement = assignment_of(written[0].syntax.tree, written[1]) if written is not None else None
    if statement is None or isinstance(statement, ast.AugAssign):
        return statement is not None
    own = [spelled(target) for target in targets_of(statement)]
    of_itself = statement.value is not None and any(spelled(part) in own for part in walk(statement.value))
    return of_itself or any(names_iteration(statement, loop) for loop in gone_on)


def _difference_of_numbers(then: Origin, now: Origin) -> str:
    """How it is known that an array or eager tensor is another one: by its origin."""
    if now.number == then.number or now.node is None or now.module is None:
        return ""
    if now.recipe is not None and now.recipe == then.recipe:
        return ""
    return DRAWN if is_drawn(now.recipe) else REMADE
