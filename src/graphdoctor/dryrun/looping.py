"""Loops and comprehensions: short ones run turn by turn, others a first and a typical later turn."""

from __future__ import annotations

import ast
from collections.abc import Callable

from graphdoctor.dryrun.assigning import assign
from graphdoctor.dryrun.branching import branch
from graphdoctor.dryrun.conflicts import note_conflict
from graphdoctor.dryrun.context import LoopRun, Scope
from graphdoctor.dryrun.fewness import MOST_FEW
from graphdoctor.dryrun.flow import BREAK, CONTINUE, NEXT, RAISE, RETURN, Flow
from graphdoctor.dryrun.heap import Change, Changes, forget_length
from graphdoctor.dryrun.iterating import (
    consume,
    count_of,
    distinct,
    element,
    growth_of,
    items_of,
    may_be_tensor,
    settled,
)
from graphdoctor.dryrun.joining import MISSING, join, widen
from graphdoctor.dryrun.lasting import counts_up, values_of
from graphdoctor.dryrun.machine import Machine, expression, statement
from graphdoctor.dryrun.members import as_key
from graphdoctor.dryrun.owning import holds_weights
from graphdoctor.dryrun.staged_loops import run_staged_loop
from graphdoctor.dryrun.staging import is_staged, is_symbolic, may_be_list, refuse
from graphdoctor.dryrun.stale import find_stale_in
from graphdoctor.dryrun.state import note_staged_names
from graphdoctor.dryrun.values import (
    NOTHING,
    REST,
    UNKNOWN,
    Cells,
    Dataset,
    Dictionary,
    Generator,
    Known,
    Scalar,
    Sequence,
    Value,
    Variables,
    ages,
    numbers,
)
from graphdoctor.recording.format import OWN_WEIGHTS, Conflict
from graphdoctor.source.nodes import walk
from graphdoctor.source.remembering import remembered

LONGEST_EXACT = 6
LONGEST_EXACT_IN_GRAPH = 10
MOST_WHILE_TURNS = 9


@statement(ast.For, ast.AsyncFor)
def run_for(machine: Machine, node: ast.For) -> Flow:
    iterable = settled(machine.evaluate(node.iter))
    if may_be_list(machine, iterable):
        iterable = UNKNOWN

    def body() -> Flow:
        return machine.execute(node.body)

    if machine.graph is not None and (is_staged(machine, iterable) or isinstance(iterable, Dataset)):
        if not machine.unconverted:
            flow = run_staged_loop(machine, node, node.target, iterable, body)
            note_staged_names(machine, list(_names_in(node.target)))
            return machine.execute(node.orelse) if flow is NEXT else flow
        refuse(machine, "for", node.iter)
    flow = loop_over(machine, node, node.target, iterable, body)
    return _run_else(machine, node) if flow is NEXT else NEXT if flow is BREAK else flow


def _run_else(machine: Machine, node: ast.For | ast.While) -> Flow:
    """What a loop does that was not left early; one that has a `break` may have been."""
    if not node.orelse or not has_break(node):
        return machine.execute(node.orelse)
    return branch(machine, [lambda: machine.execute(node.orelse), lambda: NEXT])[0]


@remembered(8192)
def has_break(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Break) for part in walk(node))


def loop_over(
    machine: Machine, node: ast.AST, target: ast.expr | None, iterable: Value, body: Callable[[], Flow]
) -> Flow:
    """Run a Python loop; BREAK when it was left early."""
    if isinstance(iterable, Dataset):
        find_stale_in(machine, iterable)
    loop = LoopRun(node, machine.module, None, machine.activation)
    if isinstance(iterable, Generator):
        from graphdoctor.dryrun.generators import all_yields

        iterable = all_yields(machine, iterable, node, loop)
        loop.doubtful = True
    items = items_of(machine, iterable)
    loop.count = count_of(iterable)
    loop.certain = not may_be_tensor(iterable)
    if items is not None and len(items) <= _longest_exact(machine):
        flow = _run_exactly(machine, loop, target, items, body)
        if flow is NEXT and not (isinstance(node, ast.For) and has_break(node)):
            consume(machine, iterable)
        elif isinstance(iterable, Sequence) and iterable.kind == "iterator":
            forget_length(machine.heap, iterable, None, NOTHING)
        return flow
    first = items[0] if items else None

    def typical() -> Value:
        value = element(machine, iterable, node, loop)
        if isinstance(iterable, Sequence) and iterable.kind == "range" and isinstance(value, Scalar):
            loop.counters.add(value.linear[0])
            if isinstance(node, ast.For) and counts_up(node.iter):
                loop.rising.add(value.linear[0])
        return value

    return run_typical_turns(machine, loop, target, first, typical, body)


def _begin(machine: Machine, loop: LoopRun) -> int:
    """Enter a loop, in a generator also the one that goes through it; how many were under way before."""
    begun = len(machine.loops)
    found = machine.activation.yields
    if found is not None and found.loop is not None and found.loop not in machine.loops:
        machine.loops.append(found.loop)
    machine.loops.append(loop)
    return begun


def _longest_exact(machine: Machine) -> int:
    return LONGEST_EXACT_IN_GRAPH if machine.graph is not None else LONGEST_EXACT


def _run_exactly(
    machine: Machine,
    loop: LoopRun,
    target: ast.expr | None,
    items: tuple[Value, ...],
    body: Callable[[], Flow],
) -> Flow:
    loop.exact = True
    operations = _operations(machine)
    begun = _begin(machine, loop)
    flow = NEXT
    try:
        for turn, item in enumerate(items, start=1):
            loop.turn = turn
            _assign_target(machine, loop, target, item)
            flow = _turn(machine, loop, body)
            if flow not in (NEXT, CONTINUE):
                break
    finally:
        del machine.loops[begun:]
    _note_unrolled(machine, loop, _operations(machine) - operations)
    return flow if flow in (BREAK, RETURN, RAISE) else NEXT


def run_typical_turns(
    machine: Machine,
    loop: LoopRun,
    target: ast.expr | None,
    first: Value | None,
    typical: Callable[[], Value] | None,
    body: Callable[[], Flow],
) -> Flow:
    """Run the first turn and a later one, in which what the first changed has become a typical value.

    Where a loop around it turns again, a later turn is all that is left to be seen. So it is where the later
    turns of an earlier run had nothing to tell that the first did not; unless this one has.
    """
    activation = machine.activation
    quiet = loop.node in machine.quiet
    again = loop.node in machine.turned and any(each.turn > 1 and not each.exact for each in machine.loops)
    operations = _operations(machine)
    may_rest = activation.may_rest
    begun = _begin(machine, loop)
    flow = NEXT
    try:
        known: Changes = {}
        begun_with: list[Change] = []
        if quiet and not again:
            loop.first_turn = 2  # what it makes may be made once, and found made later
        for turn in (2,) if again else (2, 3) if quiet else (1, 2, 3):
            loop.turn, begin, told = turn, next(ages), len(machine.log.events)
            _forget_exits(machine, may_rest)
            with machine.heap.watched() as changes:
                if typical is not None:
                    _assign_target(
                        machine, loop, target, first if turn == 1 and first is not None else typical()
                    )
                flow = _turn(machine, loop, body)
                changed = changes()
                widen_changes(machine, loop, changed, begin)
            if not begun_with:
                begun_with = list(changed.values())
            if turn == 1:
                loop.operations = _operations(machine) - operations
            tells = len(machine.log.events) > told
            if flow not in (NEXT, CONTINUE) or (
                turn == 2
                and not loop.goes_on
                and not (tells if quiet else _sees_more(machine, changed, known, begin))
            ):
                break
            known = changed
        machine.turned.add(loop.node)
        if loop.turn > 1 and not tells:
            machine.quiet.add(loop.node)
    finally:
        del machine.loops[begun:]
        _forget_exits(machine, may_rest)
    if loop.doubtful and machine.graph is None:
        _keep_flags(machine, begun_with)
    made = _operations(machine) - operations - loop.operations
    seen = 1 if again or quiet else 2
    if machine.graph is not None and loop.count is not None and loop.count > seen and made:
        machine.graph.root.operations += made * (loop.count - seen)
    _note_unrolled(machine, loop, _operations(machine) - operations)
    return flow if flow in (BREAK, RETURN, RAISE) else NEXT


def _keep_flags(machine: Machine, changes: list[Change]) -> None:
    """A loop that may have no turn at all may leave a flag as it was."""
    for change in changes:
        before, now = change.before, change.cells.get(change.key)
        flag = isinstance(before, Known) and (before.value is None or isinstance(before.value, bool))
        if flag and isinstance(now, Known) and before.value is not now.value:
            machine.heap.put(change.cells, change.key, join(before, now))


def _turn(machine: Machine, loop: LoopRun, body: Callable[[], Flow]) -> Flow:
    """Run one turn; names also have the values with which it was left early, by `break` or `continue`."""
    activation = machine.activation
    around, activation.loop = activation.loop, loop
    loop.begun = next(numbers)
    try:
        return body()
    finally:
        activation.loop = around
        left, loop.left = loop.left, []
        cells = activation.scope.cells
        for names in left:
            for name, value in names.items():
                now = cells.get(name, MISSING)
                if now is not value and isinstance(now, Value) and isinstance(value, Value):
                    machine.heap.merge(cells, name, [now, value])


def _sees_more(machine: Machine, changed: Changes, known: Changes, begin: int) -> bool:
    """Whether a later turn changed state that the first did not, which the next turn will find changed."""
    if machine.graph is not None:
        return False
    local = id(machine.scope.cells)
    grown = {place[0] for place, change in known.items() if "grows" in change.cells}
    return any(
        place not in known
        and place[0] != local
        and change.before is not MISSING
        and change.key != "built"  # whoever calls a layer finds it built
        and not (_age_of(change.cells) > begin or (place[0] in grown and _age_of(change.cells)))
        for place, change in changed.items()
    )


def _age_of(cells: Cells) -> int:
    """When a list or tape was made; 0 for the names of a scope, one of which may be called `age`."""
    age = cells.get("age")
    return age if isinstance(age, int) else 0


def _forget_exits(machine: Machine, may_rest: int) -> None:
    """A loop goes on although it may be left early, or may skip the rest of a turn."""
    activation = machine.activation
    machine.may -= activation.may_rest - may_rest
    activation.may_rest = may_rest


def _assign_target(machine: Machine, loop: LoopRun, target: ast.expr | None, value: Value) -> None:
    if target is None:
        return
    assign(machine, target, value, target)
    loop.own_weights = loop.own_weights or holds_weights(value)
    cells = id(machine.scope.cells)
    loop.targets.update([(cells, name) for name in _names_in(target)])


@remembered(8192)
def _names_in(target: ast.expr) -> tuple[str, ...]:
    return tuple(node.id for node in walk(target) if isinstance(node, ast.Name))


def widen_changes(machine: Machine, loop: LoopRun, changes: Changes, begin: int | None = None) -> None:
    """Make of what one turn changed what a later turn finds there; lists that it made stay as it left them.

    A number that AutoGraph's loop would carry is a tensor, if it is AutoGraph's.
    """
    may_carry = not loop.certain and machine.graph is not None and not machine.unconverted
    for place, change in changes.items():
        before, now = change.before, change.cells.get(change.key, MISSING)
        if before is MISSING or now is MISSING or place in loop.targets:
            continue
        if begin is not None and _age_of(change.cells) > begin:
            continue
        if may_carry and change.cells is machine.scope.cells and isinstance(now, (Known, Scalar)):
            machine.heap.put(change.cells, change.key, UNKNOWN)
            continue
        if change.key == "items" and "grows" in change.cells:
            if before != now:
                _widen_items(machine, loop, change.cells, before, now)
        elif loop.turn > 1 and isinstance(before, Scalar) and isinstance(now, Known):
            continue  # whatever it was before, each turn leaves this
        elif isinstance(before, Value) and isinstance(now, Value):
            widened = widen(before, now, loop)
            if isinstance(before, Known) and isinstance(widened, Scalar) and not widened.few:
                values = values_of(machine, loop, change.cells, change.key, changes)
                widened.few = values is not None and len(values) <= MOST_FEW
            if widened is not now:
                machine.heap.put(change.cells, change.key, widened)


def _widen_items(machine: Machine, loop: LoopRun, cells: dict, before: object, now: object) -> None:  # type: ignore[type-arg]
    if isinstance(before, tuple) and isinstance(now, tuple) and len(before) == len(now):
        items = tuple(widen(a, b, loop) for a, b in zip(before, now, strict=True))
        machine.heap.put(cells, "items", items)
    else:
        machine.heap.merge(cells, "items", [before, now], frozenset([loop]))


def _operations(machine: Machine) -> int:
    return machine.graph.root.operations if machine.graph is not None else 0


def _note_unrolled(machine: Machine, loop: LoopRun, operations: int) -> None:
    if machine.graph is not None and operations:
        construct = "while" if isinstance(loop.node, ast.While) else "for"
        if isinstance(loop.node, (ast.For, ast.While)):
            reason = OWN_WEIGHTS if loop.own_weights else ""
            machine.log.staging(
                construct, "python", loop.node, reason=reason, turns=loop.count, operations=operations
            )


@statement(ast.While)
def run_while(machine: Machine, node: ast.While) -> Flow:
    from graphdoctor.dryrun.conditions import evaluate_condition, settle_length, truth

    def body() -> Flow:
        return machine.execute(node.body)

    turns = 0
    before = Before(machine) if machine.graph is not None else None
    constant = isinstance(node.test, ast.Constant)
    condition = evaluate_condition(machine, node.test)
    known = truth(condition)
    loop = LoopRun(node, machine.module, None, machine.activation)
    loop.exact = True
    while known and not constant and turns < MOST_WHILE_TURNS:
        begun = _begin(machine, loop)
        try:
            flow = _turn(machine, loop, body)
        finally:
            del machine.loops[begun:]
        if flow in (RETURN, RAISE):
            return flow
        if flow is BREAK:
            return NEXT
        turns += 1
        loop.turn = turns + 1
        condition = evaluate_condition(machine, node.test)
        known = truth(condition)
    if known is False:
        return _run_else(machine, node)
    if known is None and is_staged(machine, condition):
        return _while_on_tensor(machine, node, turns, body, before)
    loop = LoopRun(node, machine.module, None, machine.activation)
    loop.certain = not may_be_tensor(condition)

    def turn() -> Flow:
        flow = body()
        if machine.graph is not None and loop.certain and not constant and flow in (NEXT, CONTINUE):
            _becomes_tensor(machine, node, before)
        return flow

    returned = len(machine.activation.returns)
    flow = run_typical_turns(machine, loop, None, None, None, turn)
    if flow is NEXT and not has_break(node):
        settle_length(machine, node.test)
    if not constant or flow is BREAK:
        return NEXT
    endless = not has_break(node)
    return RETURN if endless and len(machine.activation.returns) > returned else flow


class Before:
    """The names of a call as a loop finds them, and which statement set each."""

    def __init__(self, machine: Machine) -> None:
        self.cells = dict(machine.scope.cells)
        self.bound = dict(machine.activation.bound)


def _while_on_tensor(
    machine: Machine, node: ast.While, turns: int, body: Callable[[], Flow], before: Before | None
) -> Flow:
    if machine.unconverted:
        refuse(machine, "while", node.test)
    elif turns:
        _note_tensor(machine, node, before)
    else:
        return run_staged_loop(machine, node, None, UNKNOWN, body)
    loop = LoopRun(node, machine.module, None, machine.activation)
    flow = run_typical_turns(machine, loop, None, None, None, body)
    return RETURN if flow is RETURN else NEXT


def _becomes_tensor(machine: Machine, node: ast.While, before: Before | None) -> None:
    """A condition that was a Python value before the first turn and is a tensor after it is refused."""
    if not machine.unconverted and is_symbolic(machine, machine.evaluate(node.test)):
        _note_tensor(machine, node, before)


def _note_tensor(machine: Machine, node: ast.While, before: Before | None) -> None:
    """Write down which name of a condition has become a tensor."""
    assert before is not None
    for part in walk(node.test):
        name = part.id if isinstance(part, ast.Name) else ""
        old, new = before.cells.get(name), machine.scope.cells.get(name)
        if isinstance(old, (Known, Scalar)) and isinstance(new, Value) and is_symbolic(machine, new):
            places = before.bound.get(name), machine.activation.bound.get(name)
            note_conflict(machine, "while", node.test, "becomes-tensor", name, old, new, places)
            return
    machine.log.staging("while", "refused", node.test, reason="becomes-tensor")


@expression(ast.ListComp, ast.SetComp, ast.GeneratorExp)
def evaluate_comprehension(machine: Machine, node: ast.ListComp) -> Value:
    kind = {ast.SetComp: "set", ast.GeneratorExp: "iterator"}.get(type(node), "list")
    found: list[Value] = []
    early: list[Variables] = []
    exact, count, grows = _run_clauses(
        machine, node, node.generators, lambda: found.append(machine.evaluate(node.elt)), early
    )
    for each in found:
        machine.log.kept(each)
    known = distinct(tuple(found)) if kind == "set" and exact else tuple(found)
    if exact and known is not None:
        made = Sequence(kind, known, machine.origin(node))
    else:
        value: Value = MISSING
        for each in found:
            value = join(value, each)
        element = None if value is MISSING else value
        made = Sequence(kind, None, machine.origin(node), element, count if kind != "set" else None)
        made.cells["grows"] = grows
    if early:
        made.cells["early"] = early[0]
    return made


@expression(ast.DictComp)
def evaluate_dict_comprehension(machine: Machine, node: ast.DictComp) -> Value:
    cells: dict[object, Value] = {}
    certain = machine.may
    perhaps: set[object] = set()

    def add() -> None:
        key, value = as_key(machine.evaluate(node.key)), machine.evaluate(node.value)
        machine.log.kept(value)
        if isinstance(key, Known):
            if machine.may > certain and key.value not in cells:
                perhaps.add(key.value)
            cells[key.value] = value
        else:
            cells[REST] = join(cells.get(REST, MISSING), value)

    exact, _, _ = _run_clauses(machine, node, node.generators, add, [])
    if not exact and REST not in cells:
        cells[REST] = UNKNOWN
    made = Dictionary(cells, machine.origin(node))
    made.doubt(perhaps)
    return made


def _run_clauses(
    machine: Machine,
    node: ast.AST,
    clauses: list[ast.comprehension],
    add: Callable[[], None],
    early: list[Variables],
) -> tuple[bool, int | None, frozenset[LoopRun]]:
    """Run the clauses of a comprehension: whether each element was met in turn, how many there are, and at
    the turns of which loops that number differs; `early` gets the variables that were not there yet."""
    if not clauses:
        add()
        return True, 1, NOTHING
    clause, *rest = clauses
    iterable = settled(machine.evaluate(clause.iter))
    if isinstance(iterable, Variables) and iterable.early:
        early.append(iterable)
    if may_be_list(machine, iterable):
        iterable = UNKNOWN
    if is_symbolic(machine, iterable) or (machine.graph is not None and isinstance(iterable, Dataset)):
        conflict = Conflict(kind="comprehension", before=machine.log.describe(iterable))
        machine.log.staging("comprehension", "refused", clause.iter, "comprehension", conflict)
    activation = machine.activation
    around = activation.scope
    activation.scope = Scope(around, machine.module, "comprehension", around.graph)
    certain, grows = True, NOTHING if clause.ifs else growth_of(iterable)

    def body() -> Flow:
        nonlocal certain, grows
        passes = _passes(machine, clause)
        if passes is False:
            return NEXT
        machine.may += passes is None
        try:
            inner, _, more = _run_clauses(machine, node, rest, add, early)
            grows |= more
            certain = certain and inner and passes is True
        finally:
            machine.may -= passes is None
        return NEXT

    items, count = items_of(machine, iterable), count_of(iterable)
    try:
        loop_over(machine, node, clause.target, iterable, body)
    finally:
        activation.scope = around
    exact = certain and items is not None and len(items) <= _longest_exact(machine)
    count = count if not rest and not clause.ifs else None
    return exact, count, grows & frozenset(machine.loops)


def _passes(machine: Machine, clause: ast.comprehension) -> bool | None:
    """Whether an element passes the conditions of a clause; None when nobody knows."""
    from graphdoctor.dryrun.conditions import truth

    values = [machine.evaluate(condition) for condition in clause.ifs]
    for condition, value in zip(clause.ifs, values, strict=True):
        if is_symbolic(machine, value):
            machine.log.staging("comprehension", "refused", condition, reason="comprehension-if")
    answers = list(map(truth, values))
    return False if False in answers else None if None in answers else True
