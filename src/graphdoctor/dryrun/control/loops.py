"""Loops and comprehensions: short ones run in full, others a first and a typical later iteration."""

import ast
from collections.abc import Callable

from graphdoctor.dryrun.control.flow import BREAK, CONTINUE, NEXT, RAISE, RETURN, Flow
from graphdoctor.dryrun.control.path_conditions import branch
from graphdoctor.dryrun.control.staged_loops import run_staged_loop
from graphdoctor.dryrun.control.staging import is_staged, is_symbolic, may_be_list, refuse
from graphdoctor.dryrun.control.staging_conflicts import note_conflict
from graphdoctor.dryrun.core.assignments import assign
from graphdoctor.dryrun.core.context import LoopRun, Scope
from graphdoctor.dryrun.core.heap import Change, Changes, forget_length
from graphdoctor.dryrun.core.machine import Machine, expression, statement
from graphdoctor.dryrun.staleness.captured_state import note_staged_names
from graphdoctor.dryrun.staleness.recurrences import counts_up, values_of
from graphdoctor.dryrun.staleness.stale_state import find_stale_in
from graphdoctor.dryrun.values import (
    NOTHING,
    REST,
    UNKNOWN,
    AbstractNumber,
    Cells,
    Constant,
    Dataset,
    Dictionary,
    Generator,
    Instance,
    Sequence,
    Value,
    Variables,
    ages,
    numbers,
    terms,
)
from graphdoctor.dryrun.values.class_membership import as_key
from graphdoctor.dryrun.values.iteration import (
    chosen,
    consume,
    count_of,
    distinct,
    element,
    growth_of,
    items_of,
    iterated,
    may_be_tensor,
)
from graphdoctor.dryrun.values.joining import MISSING, join, same, widen
from graphdoctor.dryrun.values.variable_owners import holds_weights
from graphdoctor.recording.format import OWN_WEIGHTS, Conflict
from graphdoctor.source.nodes import walk
from graphdoctor.source.remembering import remembered

LONGEST_EXACT = 6
LONGEST_EXACT_IN_GRAPH = 10
MOST_WHILE_ITERATIONS = 9
Target = ast.expr | Callable[[Value], None] | None  # what takes each element of a loop


@statement(ast.For, ast.AsyncFor)
def run_for(machine: Machine, node: ast.For) -> Flow:
    iterable = iterated(machine, machine.evaluate(node.iter), node.iter)
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
    machine: Machine, node: ast.AST, target: Target, iterable: Value, body: Callable[[], Flow]
) -> Flow:
    """Run a Python loop; BREAK when it was left early. Each element goes to a name or to a function."""
    if isinstance(iterable, Dataset):
        find_stale_in(machine, iterable)
    loop = LoopRun(node, machine.module, None, machine.activation)
    if isinstance(iterable, Generator):
        from graphdoctor.dryrun.control.generators import run_through

        def run_body(value: Value) -> Flow:
            _assign_target(machine, loop, target, value)
            return _run_iteration(machine, loop, body)

        with machine.heap.watched() as changes:
            flow, rest = run_through(machine, iterable, loop, run_body)
            changed = list(changes().values())
        if not loop.exact and machine.graph is None:
            _keep_flags(machine, changed)
        if rest is None:
            return flow if flow in (BREAK, RETURN, RAISE) else NEXT
        iterable = rest
        loop.exact, loop.iteration = False, 1
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
        if isinstance(iterable, Sequence) and iterable.kind == "range" and isinstance(value, AbstractNumber):
            up = isinstance(node, ast.For) and counts_up(node.iter)
            count = terms.unknown(value.varies, value.few, terms.INDEX if up else terms.COUNT)
            return AbstractNumber(value.type, value.varies, value.few, value.paths, count)
        return value

    return run_typical_iterations(machine, loop, target, first, typical, body)


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
    machine: Machine, loop: LoopRun, target: Target, items: tuple[Value, ...], body: Callable[[], Flow]
) -> Flow:
    loop.exact = True
    operations = _operations(machine)
    begun = _begin(machine, loop)
    flow = NEXT
    try:
        for iteration, item in enumerate(items, start=1):
            loop.iteration = iteration
            _note_begin(machine, loop)
            _assign_target(machine, loop, target, item)
            flow = _run_iteration(machine, loop, body)
            if flow not in (NEXT, CONTINUE):
                break
    finally:
        del machine.loops[begun:]
    _note_unrolled(machine, loop, _operations(machine) - operations)
    return flow if flow in (BREAK, RETURN, RAISE) else NEXT


def run_typical_iterations(
    machine: Machine,
    loop: LoopRun,
    target: Target,
    first: Value | None,
    typical: Callable[[], Value] | None,
    body: Callable[[], Flow],
) -> Flow:
    """Run the first iteration and a later one, in which what the first changed has become a typical value.

    Where a loop around it iterates again, a later iteration is all that is left to be seen. So it is where
    the later iterations of an earlier run had nothing to report that the first did not; unless this one has.
    """
    activation = machine.activation
    quiet = loop.node in machine.quiet
    again = loop.node in machine.iterated and any(
        each.iteration > 1 and not each.exact for each in machine.loops
    )
    operations = _operations(machine)
    may_rest = activation.may_rest
    begun = _begin(machine, loop)
    flow = NEXT
    try:
        known: Changes = {}
        begun_with: list[Change] = []
        if quiet and not again:
            loop.first_iteration = 2  # what it makes may be made once, and found made later
        for iteration in (2,) if again else (2, 3) if quiet else (1, 2, 3):
            loop.iteration, begin, events = iteration, next(ages), len(machine.log.events)
            _note_begin(machine, loop)
            _forget_exits(machine, may_rest)
            with machine.heap.watched() as changes:
                if typical is not None:
                    _assign_target(
                        machine, loop, target, first if iteration == 1 and first is not None else typical()
                    )
                flow = _run_iteration(machine, loop, body)
                changed = changes()
                widen_changes(machine, loop, changed, begin)
            if not begun_with:
                begun_with = list(changed.values())
            if iteration == 1:
                loop.operations = _operations(machine) - operations
            reports_more = len(machine.log.events) > events
            if flow not in (NEXT, CONTINUE) or (
                iteration == 2
                and not loop.goes_on
                and not (reports_more if quiet else _sees_more(machine, changed, known, begin))
            ):
                break
            known = changed
        machine.iterated.add(loop.node)
        if loop.iteration > 1 and not reports_more:
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
    """A loop that may have no iteration at all may leave a flag as it was."""
    for change in changes:
        before, now = change.before, change.cells.get(change.key)
        flag = isinstance(before, Constant) and (before.value is None or isinstance(before.value, bool))
        if flag and isinstance(now, Constant) and before.value is not now.value:
            machine.heap.put(change.cells, change.key, join(before, now))


def _note_begin(machine: Machine, loop: LoopRun) -> None:
    """Remember in which step an iteration begins: later than all that was written before."""
    machine.steps += 1
    loop.step = machine.steps


def _run_iteration(machine: Machine, loop: LoopRun, body: Callable[[], Flow]) -> Flow:
    """Run one iteration; names also have the values with which it was left early, by `break`, `continue`."""
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
    """Whether a later iteration changed state that the first did not: the next will find it changed."""
    if machine.graph is not None:
        return False
    local = id(machine.scope.cells)
    grown = {place[0] for place, change in known.items() if "grows" in change.cells}
    return any(
        (place not in known or (_changed_nothing(known[place]) and not _changed_nothing(change)))
        and place[0] != local
        and change.before is not MISSING
        and change.key != "built"  # whoever calls a layer finds it built
        and not (_age_of(change.cells) > begin or (place[0] in grown and _age_of(change.cells)))
        for place, change in changed.items()
    )


def _changed_nothing(change: Change) -> bool:
    """Whether an iteration has set a cell to what it was: `self.rate = index / 10` in the first."""
    before, after = change.before, change.after
    return isinstance(before, Value) and isinstance(after, Value) and same(before, after)


def _age_of(cells: Cells) -> int:
    """When a list or tape was made; 0 for the names of a scope, one of which may be called `age`."""
    age = cells.get("age")
    return age if isinstance(age, int) else 0


def _forget_exits(machine: Machine, may_rest: int) -> None:
    """A loop goes on although it may be left early, or may skip the rest of an iteration."""
    activation = machine.activation
    machine.may -= activation.may_rest - may_rest
    activation.may_rest = may_rest


def _assign_target(machine: Machine, loop: LoopRun, target: Target, value: Value) -> None:
    if target is None:
        return
    if not isinstance(target, ast.expr):
        target(value)
        return
    assign(machine, target, value, target)
    loop.own_weights = loop.own_weights or holds_weights(value)
    cells = id(machine.scope.cells)
    loop.targets.update([(cells, name) for name in _names_in(target)])


@remembered(8192)
def _names_in(target: ast.expr) -> tuple[str, ...]:
    return tuple(node.id for node in walk(target) if isinstance(node, ast.Name))


def widen_changes(machine: Machine, loop: LoopRun, changes: Changes, begin: int | None = None) -> None:
    """Make of what one iteration changed what a later one finds there; lists that it made stay as they are.

    A number that AutoGraph's loop would carry is a tensor, if it is AutoGraph's.
    """
    may_carry = not loop.certain and machine.graph is not None and not machine.unconverted
    found = values_of(changes)
    for place, change in changes.items():
        before, now = change.before, change.cells.get(change.key, MISSING)
        if before is MISSING or now is MISSING or place in loop.targets:
            continue
        if begin is not None and _age_of(change.cells) > begin:
            continue
        if may_carry and change.cells is machine.scope.cells and isinstance(now, (Constant, AbstractNumber)):
            machine.heap.put(change.cells, change.key, UNKNOWN)
            continue
        if change.key == "items" and "grows" in change.cells:
            if before != now:
                _widen_items(machine, loop, change.cells, before, now)
        elif loop.iteration > 1 and isinstance(before, AbstractNumber) and isinstance(now, Constant):
            continue  # whatever it was before, each iteration leaves this
        elif isinstance(before, Value) and isinstance(now, Value):
            loop.goes_on = loop.goes_on or _is_made_again(loop, before, now)
            widened = widen(before, now, loop)
            if isinstance(widened, AbstractNumber) and place in found:
                few = len(found[place]) <= terms.MOST_FEW
                if few or widened.few:
                    term = terms.unknown(widened.varies, few, terms.CYCLE if few else "unknown")
                    widened = AbstractNumber(widened.type, widened.varies, few, widened.paths, term)
            if widened is not now:
                machine.heap.put(change.cells, change.key, widened)


def _is_made_again(loop: LoopRun, before: Value, now: Value) -> bool:
    """Whether a later iteration replaces an object by one that it makes: the next goes on with that."""
    if loop.iteration == 1 or not isinstance(now, Instance) or loop not in now.origin.loops:
        return False
    made = dict(zip(now.origin.loops, now.origin.iterations, strict=True))
    return before is not now and made[loop] == loop.iteration == 2


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
                construct, "python", loop.node, reason=reason, iterations=loop.count, operations=operations
            )


@statement(ast.While)
def run_while(machine: Machine, node: ast.While) -> Flow:
    from graphdoctor.dryrun.control.conditions import evaluate_condition, settle_length, truth

    def body() -> Flow:
        return machine.execute(node.body)

    iterations = 0
    before = Before(machine) if machine.graph is not None else None
    constant = isinstance(node.test, ast.Constant)
    condition = evaluate_condition(machine, node.test)
    known = truth(condition)
    loop = LoopRun(node, machine.module, None, machine.activation)
    loop.exact = True
    while known and not constant and iterations < MOST_WHILE_ITERATIONS:
        begun = _begin(machine, loop)
        _note_begin(machine, loop)
        try:
            flow = _run_iteration(machine, loop, body)
        finally:
            del machine.loops[begun:]
        if flow in (RETURN, RAISE):
            return flow
        if flow is BREAK:
            return NEXT
        iterations += 1
        loop.iteration = iterations + 1
        condition = evaluate_condition(machine, node.test)
        known = truth(condition)
    if known is False:
        return _run_else(machine, node)
    if known is None and is_staged(machine, condition):
        return _while_on_tensor(machine, node, iterations, body, before)
    loop = LoopRun(node, machine.module, None, machine.activation)
    loop.certain = not may_be_tensor(condition)

    def iteration() -> Flow:
        flow = body()
        if machine.graph is not None and loop.certain and not constant and flow in (NEXT, CONTINUE):
            _becomes_tensor(machine, node, before)
        return flow

    returned = len(machine.activation.returns)
    flow = run_typical_iterations(machine, loop, None, None, None, iteration)
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
    machine: Machine, node: ast.While, iterations: int, body: Callable[[], Flow], before: Before | None
) -> Flow:
    if machine.unconverted:
        refuse(machine, "while", node.test)
    elif iterations:
        _note_tensor(machine, node, before)
    else:
        return run_staged_loop(machine, node, None, UNKNOWN, body)
    loop = LoopRun(node, machine.module, None, machine.activation)
    flow = run_typical_iterations(machine, loop, None, None, None, body)
    return RETURN if flow is RETURN else NEXT


def _becomes_tensor(machine: Machine, node: ast.While, before: Before | None) -> None:
    """A condition that was a Python value before the first iteration and is a tensor after it is refused."""
    if not machine.unconverted and is_symbolic(machine, machine.evaluate(node.test)):
        _note_tensor(machine, node, before)


def _note_tensor(machine: Machine, node: ast.While, before: Before | None) -> None:
    """Write down which name of a condition has become a tensor."""
    assert before is not None
    for part in walk(node.test):
        name = part.id if isinstance(part, ast.Name) else ""
        old, new = before.cells.get(name), machine.scope.cells.get(name)
        if (
            isinstance(old, (Constant, AbstractNumber))
            and isinstance(new, Value)
            and is_symbolic(machine, new)
        ):
            places = before.bound.get(name), machine.activation.bound.get(name)
            note_conflict(machine, "while", node.test, "becomes-tensor", name, old, new, places)
            return
    machine.log.staging("while", "refused", node.test, reason="becomes-tensor")


@expression(ast.ListComp, ast.SetComp, ast.GeneratorExp)
def evaluate_comprehension(machine: Machine, node: ast.ListComp) -> Value:
    kind = {ast.SetComp: "set", ast.GeneratorExp: "iterator"}.get(type(node), "list")
    found: list[Value] = []
    early: list[Variables] = []
    certain = machine.may

    def add() -> None:
        value = machine.evaluate(node.elt)
        found.append(value if machine.may == certain else chosen(value))

    exact, count, grows = _run_clauses(machine, node, node.generators, add, early)
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
        if isinstance(key, Constant):
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
    """Run the clauses of a comprehension: whether each element was met one by one, how many there are, and at
    the iterations of which loops that number differs; `early` gets the variables that were not there yet."""
    if not clauses:
        add()
        return True, 1, NOTHING
    clause, *rest = clauses
    iterable = iterated(machine, machine.evaluate(clause.iter), clause.iter)
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
        with machine.perhaps(passes is None):
            inner, _, more = _run_clauses(machine, node, rest, add, early)
        grows |= more
        certain = certain and inner and passes is True
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
    """Whether an element passes the conditions of a clause; None if unknown."""
    from graphdoctor.dryrun.control.conditions import truth

    values = [machine.evaluate(condition) for condition in clause.ifs]
    for condition, value in zip(clause.ifs, values, strict=True):
        if is_symbolic(machine, value):
            machine.log.staging("comprehension", "refused", condition, reason="comprehension-if")
    answers = list(map(truth, values))
    return False if False in answers else None if None in answers else True
