"""Python state around a trace: what it reads, what it changes, and what changes behind its back."""

import ast
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from graphdoctor.dryrun.control.self_closing_guards import note_closing
from graphdoctor.dryrun.core.context import Graph, LoopRun, Scope
from graphdoctor.dryrun.core.machine import READERS, Machine
from graphdoctor.dryrun.staleness.state_readers import key_of_cell
from graphdoctor.dryrun.values import (
    AbstractNumber,
    Array,
    Cells,
    Class,
    Constant,
    Dictionary,
    Function,
    GraphFunction,
    Instance,
    LibraryObject,
    Sequence,
    Tensor,
    Value,
    is_none,
    numbers,
)
from graphdoctor.dryrun.values.class_membership import is_member
from graphdoctor.dryrun.values.structures import DEEPEST, parts_of
from graphdoctor.dryrun.values.variable_owners import owns_variables
from graphdoctor.recording.format import Frame, State
from graphdoctor.source.calls import is_for_people
from graphdoctor.source.def_use import place_of
from graphdoctor.source.nodes import spelled, walk
from graphdoctor.source.remembering import remembered

SIZES: Final = ("shape", "dtype", "ndim")
SETTLING: Final = (
    "abs",
    "bool",
    "float",
    "int",
    "list",
    "max",
    "min",
    "round",
    "set",
    "sorted",
    "str",
    "tuple",
)
KEPT_BY_KERAS: Final = ("built",)  # it becomes True when it is time, and what hangs on it is done once
LINKS: Final = (Instance, LibraryObject, Dictionary)  # objects through which state is read


@dataclass(slots=True, eq=False)
class Capture:
    """What a trace read from outside: the cell, its value then, where and at which iterations it was read."""

    cells: Cells
    key: Any
    value: Value
    node: ast.AST
    state: State
    chain: tuple[Frame, ...]
    graph: Graph
    iterations: Mapping[LoopRun, int]
    flipped: Constant | None = None  # what the trace itself made of a flag that decided what it does


@dataclass(slots=True, eq=False)
class Changed:
    """A piece of state that traced code changes, as those who read it know it."""

    key: Hashable
    cls: Class | None = None
    name: str = ""


def captured(
    machine: Machine,
    cells: Cells,
    key: Any,
    value: Value,
    node: ast.AST,
    kind: str,
    name: str,
    graph: Graph | None,
) -> None:
    """Note that the trace under way reads state from outside, whose value becomes part of the graph."""
    current = machine.graph
    if (
        key in KEPT_BY_KERAS
        or current is None
        or not (machine.is_outer(graph) or id(cells) in current.root.kept)
    ):
        return
    if not is_plain(value) and not owns_variables(value) and not isinstance(value, (*LINKS, Sequence)):
        return
    if isinstance(value, (Array, Tensor)) and node in _read_for_their_size(machine.module.syntax.tree):
        return  # an array of another size would mostly come with arguments of another size, and a new trace
    if is_plain(value) and node in _read_for_people(machine.module.syntax.tree):
        return
    if is_plain(value) and not is_none(value) and node in _asked_for_none(machine.module.syntax.tree):
        return  # the answer is the same for any other value
    place = (id(cells), key)
    waiting = _without(machine, place)
    if not waiting:
        return
    chain = machine.log.chain(node)
    reader = machine.outside(READERS)
    if reader is not machine.activation and reader.node is not None:  # what it looks up, its caller reads
        node, chain = reader.node, chain[: len(chain) - machine.activations[::-1].index(reader)]
        name = spelled(node) if isinstance(node, (ast.Attribute, ast.Subscript)) else name
    iterations = {loop: loop.iteration for loop in machine.loops}
    capture = Capture(cells, key, value, node, State(kind=kind, name=name), chain, current, iterations)
    machine.taken.add(place)
    for function in waiting:
        function.captures[place] = capture


def _without(machine: Machine, place: tuple[int, Any]) -> list[GraphFunction]:
    """The functions whose traces are under way and have neither read nor changed a cell so far."""
    found: list[GraphFunction] = []
    for graph in machine.graphs:
        function = graph.function if graph is not None else None
        if function is None or place in function.captures or place in function.writes:
            continue
        if function not in found:
            found.append(function)
    return found


@remembered(64)
def _read_for_their_size(tree: ast.Module) -> frozenset[ast.AST]:
    """The names and attributes of which only the length, shape or dtype is asked: `len(x)`, `x.shape`."""
    found: set[ast.AST] = set()
    for node in walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in SIZES:
            found.add(node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
            found.update(node.args)
    return frozenset(found)


@remembered(64)
def _read_for_people(tree: ast.Module) -> frozenset[ast.AST]:
    """The names and attributes that only a message, an assertion or a name of operations depends on."""
    given: list[ast.AST] = []
    for node in walk(tree):
        if isinstance(node, ast.Call) and is_for_people(node.func):
            given += [*node.args, *(each.value for each in node.keywords)]
        elif isinstance(node, ast.Assert) or (isinstance(node, ast.If) and _only_speaks(node)):
            given.append(node.test)
    return frozenset(each for part in given for each in walk(part))


def _only_speaks(node: ast.If) -> bool:
    """`if self.verbose: print(…)`."""
    calls = [each.value for each in node.body if isinstance(each, ast.Expr)]
    said = all(isinstance(each, ast.Call) and is_for_people(each.func) for each in calls)
    return said and len(calls) == len(node.body) and not node.orelse


@remembered(64)
def _asked_for_none(tree: ast.Module) -> frozenset[ast.AST]:
    """The names and attributes of which only is asked whether they are None."""
    asked = [node for node in walk(tree) if isinstance(node, ast.Compare) and _is_none_test(node)]
    return frozenset(node.left for node in asked)


def _is_none_test(node: ast.Compare) -> bool:
    """`x is None`, `x is not None`."""
    right = node.comparators[0]
    return (
        isinstance(node.ops[0], (ast.Is, ast.IsNot))
        and isinstance(right, ast.Constant)
        and right.value is None
    )


def is_plain(value: Value) -> bool:
    """Whether a trace makes a constant of it: numbers, texts, flags, None, arrays, eager tensors, tuples."""
    if isinstance(value, (Constant, AbstractNumber)):
        return True
    if isinstance(value, Tensor):
        return value.graph is None
    if isinstance(value, Sequence):
        return value.kind == "tuple" and bool(value.items) and all(map(is_plain, value.items or ()))
    return isinstance(value, Array) or is_member(value)


def note_write(machine: Machine, cells: Cells, key: Any) -> None:
    """Note that the traces under way themselves change a cell."""
    note_closing(machine, cells, key)
    for graph in machine.graphs:
        if graph is not None and graph.function is not None:
            graph.function.writes.add((id(cells), key))


def note_rebinding(
    machine: Machine, scope: Scope, name: str, value: Value, node: ast.AST, counted: bool, shown: str = ""
) -> None:
    """Note that a trace gives a global or an outer function's name another value; `shown`: as it calls it."""
    before = _was_read(machine, scope.cells, name)
    note_write(machine, scope.cells, name)
    old = scope.cells.get(name)
    kind = "global" if scope.kind == "module" else "cell"
    shown = shown or name
    state = State(kind=kind, name=shown, holder=f"global `{shown}`" if kind == "global" else f"`{shown}`")
    changed = Changed(key_of_cell(scope, name), name=name)
    reset = _is_reset(machine, (id(scope.cells), name), counted or before)
    store(machine, node, "global", state, value, old, counted, before, changed, reset)


def note_hidden(
    machine: Machine, scope: Scope, name: str, value: Value, node: ast.AST, counted: bool
) -> None:
    """Note that a function inside a traced one gives a name of that one a tensor of a loop's own graph."""
    old = scope.cells.get(name)
    if _is_number(old) and _is_lost_at_each_iteration(machine, name, counted):
        state = State(kind="cell", name=name, holder=f"`{name}`")
        for tensor in symbolic_parts(value):
            machine.log.escape(tensor, state, node, "loop", True)


def _is_number(value: Value | None) -> bool:
    return isinstance(value, (Tensor, Array, AbstractNumber, Constant)) and not is_none(value)


def _was_read(machine: Machine, cells: Cells, key: Any) -> bool:
    """Whether the trace under way read a cell before."""
    function = machine.graph.function if machine.graph is not None else None
    return function is not None and (id(cells), key) in function.captures


def note_attribute(
    machine: Machine, holder: Value, name: str, shown: str, value: Value, node: ast.AST, counted: bool
) -> None:
    """Note that a trace sets an attribute of an object from outside."""
    cells: Cells = holder.cells  # type: ignore[attr-defined]
    before = _was_read(machine, cells, name)
    note_write(machine, cells, name)
    made = machine.log.place_of(holder.origin) if hasattr(holder, "origin") else None
    state = State(kind="attribute", name=shown, holder=f"`{type_name(holder)}.{name}`", made=made)
    old = cells.get(name)
    if old is None and isinstance(holder, Instance):
        old = holder.cls.find(name)
    changed = Changed(key_of_cell(holder, name), holder.cls if isinstance(holder, Instance) else None, name)
    reset = _is_reset(machine, (id(cells), name), counted or before)
    store(machine, node, "attribute", state, value, old, counted, before, changed, reset)


def _is_reset(machine: Machine, place: tuple[int, Any], counted: bool) -> bool:
    """Whether a trace counts in a cell that it has set before: each call would come to the same count."""
    begun = machine.graph.root.begun if machine.graph is not None else set()
    if not counted and not machine.may:
        begun.add(place)
    return counted and place in begun


def own_operands(statement: ast.AST, name: str = "") -> Iterator[ast.expr]:
    """The old value in `n = n + 1`, of this name or of whichever is set."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return
    target, value = statement.targets[0], statement.value
    if not isinstance(target, (ast.Attribute, ast.Name)) or not isinstance(value, ast.BinOp):
        return
    own = spelled(target)
    if not name or own == name:
        for side in (value.left, value.right):
            if side.__class__ is target.__class__ and spelled(side) == own:
                yield side


def is_settled(statement: ast.AST | None, name: str) -> bool:
    """Whether an assignment gives the same when it is done again: `n = n // k * k`, `n = max(n, 1)`."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    value = statement.value
    if spelled(statement.targets[0]) != name:
        return False
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        others = [each for each in value.args if spelled(each) != name]
        plain = all(isinstance(each, ast.Constant) for each in others)
        return value.func.id in SETTLING and plain and len(others) < len(value.args)
    if isinstance(value, ast.BoolOp):
        return spelled(value.values[0]) == name
    return isinstance(value, ast.BinOp) and _is_rounded(value, name)


def _is_rounded(value: ast.BinOp, name: str) -> bool:
    """`n // k * k` or `n - n % k`."""
    inner, outer = value.left, value.right
    if isinstance(value.op, ast.Mult) and isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.FloorDiv):
        return spelled(inner.left) == name and spelled(inner.right) == spelled(outer)
    if isinstance(value.op, ast.Sub) and isinstance(outer, ast.BinOp) and isinstance(outer.op, ast.Mod):
        return spelled(inner) == name == spelled(outer.left)
    return False


def store(
    machine: Machine,
    node: ast.AST,
    what: str,
    state: State,
    value: Value,
    old: Value | None,
    counted: bool = False,
    before: bool = False,
    changed: Changed | None = None,
    reset: bool = False,
) -> None:
    """Write down a change of outer state: an effect, and an escape when a symbolic tensor goes there.

    `before`: the trace read it before; then what it stores is computed from that, or decided by it.
    `reset`: it has set it before, and counts from there.
    """
    escaping = symbolic_parts(value)
    lost = bool(escaping) and _is_number(old) and _is_lost_at_each_iteration(machine, state.name, counted)
    _keep(machine, value)
    if changed is not None and not escaping:
        machine.log.released(changed)
    for tensor in escaping:
        machine.log.escape(tensor, state, node, "loop" if lost else "", before or lost, changed)
    if not escaping and (reset or is_settled(machine.activation.statement, state.name)):
        return  # to do it at each call would change nothing
    with machine.perhaps(_may_be_carried(machine)):
        machine.log.effect(
            what,
            state.name,
            node,
            values=(value,),
            old=old,
            state=state,
            counted=counted or before,
            changed=changed,
        )


def _is_lost_at_each_iteration(machine: Machine, name: str, counted: bool) -> bool:
    """Whether a function that the body of a TensorFlow loop calls computes state from what it was before.

    The loop carries what its own text sets: the function is traced once, and each iteration begins with the
    value from before the loop (run on 2.21).
    """
    graph = machine.graph
    while graph is not None and graph.kind != "loop":
        graph = graph.parent
    if graph is None or graph.loop is None or graph.loop.activation is machine.activation:
        return False
    statement = machine.activation.statement
    given = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
    return counted or any(place_of(part) == name for part in (walk(given) if given is not None else ()))


def _may_be_carried(machine: Machine) -> bool:
    """Whether this stands in a loop over what is unknown: AutoGraph carries what a dataset's loop sets."""
    if machine.graph is None or machine.unconverted:
        return False
    return any(not each.certain and each.activation is machine.activation for each in machine.loops)


def _keep(machine: Machine, value: Value, depth: int = 0) -> None:
    """Note that an object which a trace has made stays when that is over, and may be changed then."""
    graph = machine.graph
    if graph is None or not isinstance(value, Instance) or machine.is_outer(value.origin.graph) or depth > 3:
        return
    graph.root.kept[id(value.cells)] = value
    for part in list(value.cells.values()):
        if isinstance(part, Instance):
            _keep(machine, part, depth + 1)


def note_remembered(machine: Machine, value: Value, name: str, node: ast.AST) -> None:
    """Note that a cache keeps what a trace has computed: whoever asks it again gets tensors of that trace."""
    state = State(kind="memory", name=name, holder=f"the cache of `{name}`")
    for tensor in symbolic_parts(value) if machine.graph is not None else ():
        machine.log.escape(tensor, state, node)


def symbolic_parts(value: Value, depth: int = 0) -> list[Tensor]:
    """The symbolic tensors in a value."""
    if isinstance(value, Tensor):
        return [value] if value.graph is not None else []
    inner = parts_of(value) if depth < DEEPEST else ()
    return [tensor for part in inner for tensor in symbolic_parts(part, depth + 1)]


def type_name(value: Value) -> str:
    """The class of an object, as a message names it."""
    if isinstance(value, Instance):
        return value.cls.name
    if isinstance(value, LibraryObject):
        return value.name.rpartition(".")[2]
    return type(value).__name__


def note_staged_names(machine: Machine, names: Iterable[str]) -> None:
    """Note that a staged `if` or loop changed names of a function; lambdas made before do not see it.

    Run on 2.21: AutoGraph gives such a name a new place, and a lambda reads the old one.
    """
    staged = machine.scope.staged
    staged.update(dict.fromkeys(names, next(numbers)))


def note_late_binding(machine: Machine, function: Function, holder: Scope, name: str, node: ast.AST) -> None:
    """Note that a function made in a loop reads the loop's name after the loop has gone on."""
    if function.node.__class__ is ast.Lambda and holder.staged.get(name, 0) > function.origin.number:
        machine.log.late_binding(name, "lambda", function, function.node)
    place = (id(holder.cells), name)
    for loop, iteration in zip(function.origin.loops, function.origin.iterations, strict=True):
        gone_on = loop not in machine.loops or loop.iteration != iteration
        if place in loop.targets and gone_on and (loop.count is None or loop.count > 1):
            made = machine.log.place(loop.node, loop.module)
            machine.log.late_binding(name, "loop", function, node, made)
