"""`if`, the conditional expression, `and`, `or`, `not`: which way, and what is known on it."""

import ast

from graphdoctor.dryrun.control.carried_state import is_read_later
from graphdoctor.dryrun.control.flow import Flow
from graphdoctor.dryrun.control.path_conditions import branch, choose, note_chosen, question
from graphdoctor.dryrun.control.self_closing_guards import Guard, Places, asks_for_own_state, under
from graphdoctor.dryrun.control.staging import is_staged, is_symbolic, may_be_staged, refuse, stage_if
from graphdoctor.dryrun.control.staging_conflicts import compare
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.context import LoopRun
from graphdoctor.dryrun.core.escape_analysis import names_bound
from graphdoctor.dryrun.core.machine import Machine, expression, statement
from graphdoctor.dryrun.core.scopes import holder_of
from graphdoctor.dryrun.staleness.captured_state import note_staged_names
from graphdoctor.dryrun.staleness.recurrences import note_going_on
from graphdoctor.dryrun.values import (
    NONE,
    NOTHING,
    NOWHERE,
    UNKNOWN,
    AbstractNumber,
    BoundMethod,
    Class,
    Constant,
    Dictionary,
    Function,
    GraphFunction,
    Instance,
    Library,
    LibraryObject,
    Module,
    Sequence,
    Setting,
    Tape,
    Tensor,
    TensorArray,
    Union,
    Unknown,
    Value,
    Variable,
    computed_number,
)
from graphdoctor.dryrun.values.class_membership import is_any_instance
from graphdoctor.dryrun.values.joining import MISSING, alternatives, join, python_type
from graphdoctor.dryrun.values.open_sizes import OpenSize
from graphdoctor.dryrun.values.terms import holds_at_last
from graphdoctor.source.nodes import spelled
from graphdoctor.source.remembering import remembered

DONE_ONCE = (ast.Return, ast.Break)  # what stands before them in a block, a loop does once
LEAVING = (ast.Return, ast.Continue, ast.Break, ast.Raise)
ZEROS = {"int": 0, "float": 0.0}
ENDING = ("sys.exit", "exit", "quit", "os._exit", "parser.error")
EMPTY_OR_NOT = frozenset(
    f"builtins.{name}"
    for name in ("str", "int", "float", "bytes", "list", "tuple", "set", "frozenset", "dict", "complex")
)
ALWAYS_TRUE = (Function, BoundMethod, GraphFunction, Class, LibraryObject, Tape, Module, TensorArray)


def truth(value: Value) -> bool | None:
    """Whether a value counts as true; None if unknown."""
    if isinstance(value, Constant):
        return bool(value.value)
    if isinstance(value, Sequence):
        return bool(value.items) if value.items is not None else None
    if isinstance(value, Dictionary):
        if value.entries.keys() - value.perhaps:
            return True
        return False if value.complete and not value.entries else None
    if isinstance(value, Instance):
        if value.cls.record == "enum":
            counts = not value.cls.libraries or any(name != "enum.Enum" for name in value.cls.libraries)
            return truth(value.cells.get("value", UNKNOWN)) if counts else True
        if any(name in EMPTY_OR_NOT or name.startswith("collections.") for name in value.cls.libraries):
            return truth(value.entries) if value.entries is not None else None
        plain = value.cls.find("__bool__") is None and value.cls.find("__len__") is None
        return True if plain and not value.cls.is_open else None
    if isinstance(value, Union):
        answers = {truth(each) for each in value.alternatives}
        return answers.pop() if len(answers) == 1 else None
    return True if isinstance(value, ALWAYS_TRUE) else None


def evaluate_condition(machine: Machine, node: ast.expr) -> Value:
    """What a condition asks: of an object of the project its `__bool__` or `__len__`, which Python wants."""
    value = machine.evaluate(node)
    if not isinstance(value, Instance):
        return value
    special = next((name for name in ("__bool__", "__len__") if value.cls.find(name) is not None), None)
    if special is None:
        return value
    given = machine.call_method(value, special, Arguments(), node)
    if is_symbolic(machine, given):
        machine.log.use("bool", node, given, special)
    return given if isinstance(given, (Constant, AbstractNumber)) else AbstractNumber("bool")


@statement(ast.If)
def run_if(machine: Machine, node: ast.If) -> Flow:
    if machine.program.is_main_guard(node.test) and machine.activation.function is None:
        machine.program.main_blocks.append((machine.module, node))
        return machine.execute(node.orelse)
    places: Places = set()
    if machine.graph is None:
        condition = evaluate_condition(machine, node.test)
    else:
        around, machine.reading = machine.reading, places
        try:
            condition = evaluate_condition(machine, node.test)
        finally:
            machine.reading = around
            if around is not None:
                around |= places
    known = truth(condition)
    if isinstance(condition, OpenSize) and not node.orelse:
        machine.log.size_used("deciding size", node.test, condition, "if")
    if known is not None and isinstance(condition, Setting) and not machine.graphs:
        known = _set_otherwise(machine, node, known)
    if known is not None:
        _guard_rest(machine, node, places, known)
        return _execute_under(machine, node, known, places)
    if may_be_staged(machine, condition):
        maybe = not is_staged(machine, condition)  # `training and tf.reduce_any(x)`
        with machine.perhaps(maybe):
            if not machine.unconverted:
                return _stage(machine, node)
            refuse(machine, "if", node.test)

    asked = question(machine, node.test)

    def way(holds: bool) -> Flow:
        if asked is not None:
            choose(machine, asked, holds)
        narrow(machine, node.test, holds)
        return _execute_under(machine, node, holds, places)

    function = machine.activation.function
    own = asks_for_own_state(node, function.node if function is not None else node)
    ways = [lambda: way(True), lambda: way(False)]
    flow, outcomes = branch(machine, ways, condition.varies, doubtful=own)
    lasting = isinstance(condition, AbstractNumber) and holds_at_last(condition.term) is not None
    if lasting and machine.graph is None:
        note_going_on(machine, outcomes[0][1])
    if asked is not None and machine.graph is None:
        note_chosen(machine, asked, outcomes)
    if flow is Flow.NEXT and outcomes[0][0] is Flow.RETURN:
        _guard_rest(machine, node, places, False)
    return flow


def _set_otherwise(machine: Machine, node: ast.If, known: bool) -> bool:
    """Which way a program goes on that asks for an option; the other one is looked at, and then forgotten.

    That is as the option is left; or, where that ends the function, as it is set otherwise. Where another
    option is set otherwise already, what this entry has seen before is not looked at again.
    """
    usual, other = (node.body, node.orelse) if known else (node.orelse, node.body)
    ends = bool(usual) and _leaves(usual[-1])
    if machine.asked and node in machine.looked:
        return known is not ends
    if not machine.may:
        machine.looked.add(node)
    switches = machine.eager_switch, machine.keras_dtype, machine.program.eager_keras
    machine.asked += not ends
    try:
        machine.heap.attempt(lambda: machine.execute(usual if ends else other))
    finally:
        machine.asked -= not ends
        machine.eager_switch, machine.keras_dtype, machine.program.eager_keras = switches
    return known is not ends


def _leaves(node: ast.stmt) -> bool:
    """Whether a function goes no further behind a statement: also where it ends the program."""
    call = node.value if isinstance(node, ast.Expr) else None
    name = spelled(call.func) if isinstance(call, ast.Call) else ""
    return isinstance(node, LEAVING) or name in ENDING


def _execute_under(machine: Machine, node: ast.If, holds: bool, places: Places) -> Flow:
    body = node.body if holds else node.orelse
    around = machine.loops
    if around and body and machine.graph is None and isinstance(body[-1], DONE_ONCE):
        machine.loops = around[: _loops_left(machine, body[-1])]
    try:
        if not places:
            return machine.execute(body)
        before = dict(machine.scope.cells)
        with under(machine, node.test, holds, places) as guard:
            flow = machine.execute(body)
            guard.lasting |= flow is Flow.NEXT and _is_kept(machine, node, holds, before)
            return flow
    finally:
        machine.loops = around


def _is_kept(machine: Machine, node: ast.If, holds: bool, before: dict[str, Value]) -> bool:
    """Whether a branch gives a name a tensor of the graph which is read later, and the other one none."""
    if machine.graph is None:
        return False
    other = node.orelse if holds else node.body
    for name, value in machine.scope.cells.items():
        if (
            before.get(name) is not value
            and isinstance(value, Tensor)
            and value.graph is not None
            and not any(name in names_bound(each) for each in other)
            and is_read_later(machine, name, node)
        ):
            return True
    return False


def _loops_left(machine: Machine, last: ast.stmt) -> int:
    """How many of the loops under way go on behind a block that ends so: what stands in it, they do once."""
    first, count = machine.activation.first_loop, len(machine.loops)
    return first if isinstance(last, ast.Return) else max(first, count - 1)


def _guard_rest(machine: Machine, node: ast.If, places: Places, known: bool) -> None:
    """`if key in cache: return …`: the rest of the function stands under the condition's opposite."""
    if places and not known and isinstance(node.body[-1], ast.Return):
        guard = Guard(node.test, False, places, len(machine.log.events))
        machine.activation.guards.append(guard)
        machine.guards.append(guard)


def _stage(machine: Machine, node: ast.If) -> Flow:
    before = dict(machine.scope.cells)
    flow = stage_if(machine, node)
    changed = [name for name, value in machine.scope.cells.items() if before.get(name) is not value]
    note_staged_names(machine, changed)
    return flow


@expression(ast.IfExp)
def evaluate_conditional(machine: Machine, node: ast.IfExp) -> Value:
    condition = evaluate_condition(machine, node.test)
    known = truth(condition)
    if known is not None:
        return machine.evaluate(node.body if known else node.orelse)
    staged = is_staged(machine, condition)
    if staged and machine.unconverted:
        refuse(machine, "ternary", node.test)
        staged = False
    values: list[Value] = []

    def way(part: ast.expr, yes: bool) -> Flow:
        narrow(machine, node.test, yes)
        values.append(machine.evaluate(part))
        return Flow.NEXT

    branch(
        machine,
        [lambda: way(node.body, True), lambda: way(node.orelse, False)],
        condition.varies,
        unknown=not staged,
    )
    if staged and len(values) == 2:
        compare(machine, "ternary", node, "", values[0], values[1], (node.body, node.orelse))
    result: Value = MISSING
    for value in values:
        result = join(result, value, condition.varies)
    if staged and any(python_type(value) for value in values):
        dtypes = {_dtype(value) for value in values}
        shape = () if all(python_type(value) for value in values) else None
        return Tensor(dtypes.pop() if len(dtypes) == 1 else None, shape, machine.origin(node))
    return UNKNOWN if result is MISSING else result


def _dtype(value: Value) -> str | None:
    from graphdoctor.dryrun.values.dtypes import dtype_of

    return dtype_of(value)


@expression(ast.BoolOp)
def evaluate_bool_operation(machine: Machine, node: ast.BoolOp) -> Value:
    is_and = isinstance(node.op, ast.And)
    ended = machine.ended
    decided = _decided_later(machine, node, is_and) if machine.graphs else None
    machine.ended = ended  # what stands behind others is not always asked for
    if decided is not None:
        return decided
    possible: list[Value] = []
    varies: frozenset[LoopRun] = NOTHING
    unknown_before = 0
    try:
        for position, part in enumerate(node.values):
            value = machine.evaluate(part)
            ended = ended if position else machine.ended
            possible.append(value)
            last = position == len(node.values) - 1
            if is_staged(machine, value) and not last:
                if machine.unconverted:
                    refuse(machine, "and" if is_and else "or", part)
                    return AbstractNumber("bool")
                rest = [machine.evaluate(other) for other in node.values[position + 1 :]]
                del rest
                return Tensor("bool", (), machine.origin(node))
            known = truth(value)
            if known is (not is_and):
                if all(python_type(each) == "bool" for each in possible):
                    return value  # whatever stands before: the whole is decided
                break
            if known is None and not value.varies:
                unknown_before += 1
                machine.may += 1
            if known is is_and and not last:
                possible.pop()
            elif is_and and not last and isinstance(value, AbstractNumber) and value.type in ZEROS:
                possible[-1] = Constant(ZEROS[value.type])  # it is the result where it is no more than that
                varies |= value.varies
    finally:
        machine.may -= unknown_before
        machine.ended = ended
    if len(possible) > 1 and all(is_staged(machine, value) for value in possible):
        return Tensor("bool", (), machine.origin(node))
    result: Value = MISSING
    for value in possible:
        result = join(result, value, varies)
    return UNKNOWN if result is MISSING else result


def _decided_later(machine: Machine, node: ast.BoolOp, is_and: bool) -> Value | None:
    """What a name that stands behind others decides, whatever they are: a trace does not depend on them."""
    for position, part in enumerate(node.values):
        if position and _is_name(part):
            value = machine.evaluate(part)
            if python_type(value) == "bool" and truth(value) is (not is_and):
                return value
        if not _only_reads(part):
            return None
    return None


def _is_name(part: ast.expr) -> bool:
    return isinstance(part.operand if isinstance(part, ast.UnaryOp) else part, ast.Name)


@remembered(8192)
def _only_reads(part: ast.expr) -> bool:
    """Whether evaluating it does nothing but look at names and attributes."""
    return isinstance(part, ast.Name | ast.Constant) or (
        isinstance(part, ast.Attribute | ast.UnaryOp | ast.Compare | ast.BoolOp)
        and all(_only_reads(each) for each in ast.iter_child_nodes(part) if isinstance(each, ast.expr))
    )


@expression(ast.UnaryOp)
def evaluate_unary(machine: Machine, node: ast.UnaryOp) -> Value:
    if not isinstance(node.op, ast.Not):
        from graphdoctor.dryrun.core.operators import negate

        return negate(machine, node, machine.evaluate(node.operand))
    value = evaluate_condition(machine, node.operand)
    known = truth(value)
    if known is not None:
        return Setting(not known) if isinstance(value, Setting) else Constant(not known)
    if is_staged(machine, value):
        if machine.unconverted:
            refuse(machine, "not", node.operand)
            return AbstractNumber("bool")
        return Tensor("bool", (), machine.origin(node))
    return computed_number("bool", "not", [value])


def narrow(machine: Machine, test: ast.expr, yes: bool) -> None:
    """Note what a condition says of the names in it: `x is None`, `isinstance(x, …)`, `x`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        narrow(machine, test.operand, not yes)
    elif isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) == yes:
            for part in test.values:
                narrow(machine, part, yes)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        _narrow_comparison(machine, test, yes)
    elif isinstance(test, (ast.Name, ast.Attribute)) and yes:
        _keep(machine, test, none=False)
    elif isinstance(test, ast.Call) and len(test.args) == 2 and spelled(test.func) == "isinstance":
        _keep_instances(machine, test.args[0], test.args[1], yes)


def _keep_instances(machine: Machine, target: ast.expr, classes: ast.expr, yes: bool) -> None:
    """Keep of a name or attribute the alternatives that are, or are not, objects of some classes."""
    place = _cell(machine, target)
    value = place[0][place[1]] if place is not None else None
    if place is None or not isinstance(value, (Union, Unknown)):
        return
    wanted = machine.evaluate(classes)
    if isinstance(value, Unknown):
        if yes and isinstance(wanted, Library) and wanted.name == "tensorflow.Variable":
            machine.heap.put(*place, Variable(None, None, NOWHERE, None))
        return
    kept = [each for each in alternatives(value) if is_any_instance(each, wanted) is not (not yes)]
    if kept and len(kept) < len(alternatives(value)):
        machine.heap.put(*place, kept[0] if len(kept) == 1 else Union(tuple(kept)))


def _narrow_comparison(machine: Machine, test: ast.Compare, yes: bool) -> None:
    operator, right = test.ops[0], test.comparators[0]
    equal = (isinstance(operator, ast.Eq) and yes) or (isinstance(operator, ast.NotEq) and not yes)
    if equal and isinstance(test.left, ast.Call) and spelled(test.left.func) == "len":
        _fix_length(machine, test.left)
    if isinstance(right, ast.Constant) and right.value is None:
        if isinstance(operator, (ast.Is, ast.Eq, ast.IsNot, ast.NotEq)):
            _keep(machine, test.left, none=isinstance(operator, (ast.Is, ast.Eq)) == yes)
    elif isinstance(right, ast.Constant) and isinstance(test.left, ast.Name):
        place = holder_of(machine, test.left.id)
        if equal and place is not None and isinstance(place.cells[test.left.id], (AbstractNumber, Unknown)):
            machine.heap.put(place.cells, test.left.id, Constant(right.value))


def settle_length(machine: Machine, test: ast.expr) -> None:
    """After `while len(x) < 8: …`, `x` has been filled up to one length."""
    if isinstance(test, ast.Compare) and isinstance(test.left, ast.Call) and spelled(test.left.func) == "len":
        _fix_length(machine, test.left)


def _fix_length(machine: Machine, test: ast.Call) -> None:
    """Where `len(x)` equals something, `x` has one length, however long it grows elsewhere."""
    place = _cell(machine, test.args[0]) if test.args else None
    value = place[0][place[1]] if place is not None else None
    if isinstance(value, Sequence) and value.grows:
        machine.heap.put(value.cells, "grows", NOTHING)
    if place is not None and isinstance(value, Tensor) and not isinstance((value.shape or (None,))[0], int):
        copied = value.moved(value.origin)
        copied.supposed = True  # who asks for its length takes it for a list
        machine.heap.put(place[0], place[1], copied)


def _keep(machine: Machine, target: ast.expr, none: bool) -> None:
    """Keep of a name or attribute the alternatives that are None, or those that are not."""
    place = _cell(machine, target)
    if place is None:
        return
    cells, key = place
    value = cells[key]
    if isinstance(value, Union):
        kept = [a for a in alternatives(value) if (isinstance(a, Constant) and a.value is None) == none]
        if kept:
            machine.heap.put(cells, key, kept[0] if len(kept) == 1 else Union(tuple(kept)))
    elif none and (isinstance(value, Unknown) or (isinstance(value, Tensor) and value.answer)):
        machine.heap.put(cells, key, NONE)


def _cell(machine: Machine, target: ast.expr) -> tuple[dict[object, Value], object] | None:
    if isinstance(target, ast.Name):
        scope = holder_of(machine, target.id)
        return (scope.cells, target.id) if scope is not None else None
    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        scope = holder_of(machine, target.value.id)
        owner = scope.cells[target.value.id] if scope is not None else None
        if isinstance(owner, (Instance, LibraryObject)) and target.attr in owner.cells:
            return owner.cells, target.attr
    return None
