"""Targets of assignments: names, attributes, elements, and several at once."""

import ast

from graphdoctor.dryrun.control.carried_state import is_read_later
from graphdoctor.dryrun.control.staging import is_one_tensor, may_be_list
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.attributes import set_attribute
from graphdoctor.dryrun.core.items import get_item, set_item
from graphdoctor.dryrun.core.machine import Machine, statement
from graphdoctor.dryrun.core.operators import combine
from graphdoctor.dryrun.core.scopes import bind_name
from graphdoctor.dryrun.staleness.captured_state import own_operands
from graphdoctor.dryrun.values import (
    UNKNOWN,
    Constant,
    Dataset,
    Dictionary,
    Library,
    Sequence,
    StaticShape,
    Tensor,
    Value,
    Variable,
)
from graphdoctor.dryrun.values.iteration import element, items_of, iterated
from graphdoctor.source.nodes import spelled, walk
from graphdoctor.source.remembering import remembered

IN_PLACE: dict[type[ast.operator], str] = {
    ast.BitOr: "update",
    ast.Sub: "difference_update",
    ast.BitAnd: "intersection_update",
    ast.BitXor: "symmetric_difference_update",
}


def assign(machine: Machine, target: ast.expr, value: Value, node: ast.AST, counted: bool = False) -> None:
    """Store a value where a target says; `counted`: by `+=` and the like."""
    if target.__class__ is ast.Name:
        bind_name(machine, target.id, value, node, counted)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(machine, target.elts, value, node)
    elif isinstance(target, ast.Starred):
        assign(machine, target.value, value, node)
    elif isinstance(target, ast.Attribute):
        holder = machine.evaluate(target.value)
        if machine.graphs and isinstance(target.value, ast.Name):
            machine.activation.bound[f"{target.value.id}.{target.attr}"] = node
        set_attribute(machine, holder, target, value, node, counted)
    elif isinstance(target, ast.Subscript):
        holder, index = machine.evaluate(target.value), machine.evaluate(target.slice)
        set_item(machine, holder, index, value, target, counted)


def _unpack(machine: Machine, targets: list[ast.expr], value: Value, node: ast.AST) -> None:
    value = iterated(machine, value, node)
    if is_one_tensor(machine, value):
        given = node.value if isinstance(node, ast.Assign) else node
        name = "tensorflow.Tensor" if _has_parts(value, len(targets)) else _operation(machine, given)
        machine.log.use("unpack", given, value, name)
    items = items_of(machine, value)
    if items is None:
        items = _open_parts(machine, value, len(targets), node)
    stars = [position for position, target in enumerate(targets) if isinstance(target, ast.Starred)]
    if items is not None and not stars and len(items) == len(targets):
        parts: list[Value] = list(items)
    elif items is not None and len(stars) == 1 and len(items) >= len(targets) - 1:
        first = stars[0]
        taken = len(items) - (len(targets) - 1)
        star = Sequence("list", items[first : first + taken], machine.origin(node))
        parts = [*items[:first], star, *items[first + taken :]]
    elif items is not None:  # Python would raise, and people publish what runs: it is something else
        machine.end()
        parts = [UNKNOWN for _ in targets]
    else:
        whole = isinstance(value, Dataset) and value.iterations != len(
            targets
        )  # more than there are names for
        typical = UNKNOWN if whole else element(machine, value, node)
        star = Sequence("list", None, machine.origin(node), typical)
        parts = [star if isinstance(target, ast.Starred) else typical for target in targets]
    for target, part in zip(targets, parts, strict=True):
        assign(machine, target, part, node)


def _has_parts(value: Value, count: int) -> bool:
    """Whether it is known to be one tensor with so many parts, which several would hardly have."""
    shape = value.shape if isinstance(value, (Tensor, Variable)) else None
    return bool(shape) and shape is not None and shape[0] == count


def _operation(machine: Machine, node: ast.AST) -> str:
    """The function of a library that an expression calls, however its module is named here."""
    called = node.func if isinstance(node, ast.Call) else None
    if not isinstance(called, ast.Attribute) or not isinstance(called.value, ast.Name):
        return ""
    function = machine.evaluate(called)
    return function.name if isinstance(function, Library) else ""


def _open_parts(machine: Machine, value: Value, count: int, node: ast.AST) -> tuple[Value, ...] | None:
    """The sizes of a batch whose rank is unknown, and the tensors that a layer is given together."""
    if isinstance(value, StaticShape) and isinstance(value.of, Tensor) and value.of.open_batch:
        asked = node.value if isinstance(node, ast.Assign) else node
        return tuple(get_item(machine, value, Constant(axis), asked) for axis in range(count))
    if not isinstance(value, Tensor) or not value.open_batch or not may_be_list(machine, value):
        return None
    parts = tuple(Tensor(None, None, machine.origin(node)) for _ in range(count))
    for part in parts:
        part.supposed = part.open_batch = True
    return parts


@statement(ast.Assign)
def run_assign(machine: Machine, node: ast.Assign) -> None:
    if node.value.__class__ is ast.BinOp:
        machine.log.readers.filling.update(map(id, own_operands(node)))
    value = machine.evaluate(node.value)
    if value.__class__ is Tensor:
        _note_dropped(machine, node)
    for target in node.targets:
        assign(machine, target, value, node)


def _note_dropped(machine: Machine, node: ast.Assign) -> None:
    """Write down `w = w - rate * g` where an iteration gave the name to a variable, and ends then."""
    target, loop = node.targets[0], machine.activation.loop
    if not isinstance(target, ast.Name) or loop is None or not isinstance(loop.node, ast.For):
        return
    name, cells = target.id, machine.scope.cells
    own = (id(cells), name) in loop.targets and isinstance(cells.get(name), Variable)
    if own and _reads(node.value, name) and not is_read_later(machine, name, node):
        machine.log.dropped("tensorflow.Variable", node)


@remembered(8192)
def _reads(expression: ast.expr, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in walk(expression))


@statement(ast.AnnAssign)
def run_annotated(machine: Machine, node: ast.AnnAssign) -> None:
    shared = "ClassVar" in spelled(node.annotation)
    if isinstance(node.target, ast.Name) and machine.scope.kind == "class" and not shared:
        machine.scope.cells.setdefault("__annotations__", []).append(node.target.id)
    if node.value is not None:
        assign(machine, node.target, machine.evaluate(node.value), node)


@statement(ast.AugAssign)
def run_augmented(machine: Machine, node: ast.AugAssign) -> None:
    read = _as_read(node.target)
    machine.log.readers.filling.add(id(read))
    old = machine.evaluate(read)
    value = machine.evaluate(node.value)
    rebound = _in_staged_loop(machine) and isinstance(node.target, ast.Name)
    if isinstance(old, Sequence) and old.kind == "list" and isinstance(node.op, ast.Add) and not rebound:
        from graphdoctor.dryrun.libraries.python.containers import extend

        extend(machine, old, value, node)
        return
    change = IN_PLACE.get(type(node.op), "")
    is_set = isinstance(old, Sequence) and old.kind == "set"
    if change and not rebound and (is_set or (isinstance(old, Dictionary) and change == "update")):
        from graphdoctor.dryrun.libraries.registry import call_method

        call_method(machine, old, change, Arguments([value]), node)
        return
    assign(machine, node.target, combine(machine, node.op, old, value, node), node, counted=True)


def _in_staged_loop(machine: Machine) -> bool:
    """Whether AutoGraph carries the names that are set here between iterations: `out += [x]` sets `out`."""
    activation = machine.activation
    return any(loop.graph and loop.activation is activation for loop in machine.loops)


def _as_read(target: ast.expr) -> ast.expr:
    """The target as an expression; the same one each time."""
    known = getattr(target, "as_read", None)
    if known is None:
        known = target.as_read = _read(target)  # type: ignore[attr-defined]
    return known


def _read(target: ast.expr) -> ast.expr:
    read: ast.expr
    if isinstance(target, ast.Name):
        read = ast.Name(target.id, ast.Load())
    elif isinstance(target, ast.Attribute):
        read = ast.Attribute(target.value, target.attr, ast.Load())
    elif isinstance(target, ast.Subscript):
        read = ast.Subscript(target.value, target.slice, ast.Load())
    else:
        return target
    return ast.copy_location(read, target)
