"""AutoGraph: a loop over a tensor or dataset, or while a tensor says so, becomes a loop of the graph."""

from __future__ import annotations

import ast
from collections.abc import Callable

from graphdoctor.dryrun.assigning import assign
from graphdoctor.dryrun.conflicts import compare
from graphdoctor.dryrun.context import LoopRun
from graphdoctor.dryrun.dtypes import dtype_of
from graphdoctor.dryrun.flow import NEXT, RAISE, Flow
from graphdoctor.dryrun.iterating import count_of, element
from graphdoctor.dryrun.joining import MISSING, python_type
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.staging import bring_out, in_subgraph
from graphdoctor.dryrun.values import Known, Sequence, Tensor, TensorArray, Value


def run_staged_loop(
    machine: Machine,
    node: ast.For | ast.While,
    target: ast.expr | None,
    iterable: Value,
    body: Callable[[], Flow],
) -> Flow:
    """Trace the body once, in a graph of its own, and compare what it carries from turn to turn."""
    activation = machine.activation
    cells = activation.scope.cells
    before = dict(cells)
    loop = LoopRun(node, machine.module, count_of(iterable), activation, graph=True)
    carried = _carried(node)
    invariant_free: set[str] = set()
    machine.loops.append(loop)

    def turn() -> Flow:
        for name in carried:
            _become_tensor(machine, cells, name, node)
        if target is not None:
            assign(machine, target, _element(machine, iterable, node, loop), target)
            loop.targets.update((id(cells), n.id) for n in ast.walk(target) if isinstance(n, ast.Name))
        machine.log.loose_shapes.append(invariant_free)
        try:
            return body()
        finally:
            machine.log.loose_shapes.pop()

    try:
        flow = in_subgraph(machine, "loop", turn)
    finally:
        machine.loops.pop()
    construct = "for" if isinstance(node, ast.For) else "while"
    targets = {n.id for n in ast.walk(target) if isinstance(n, ast.Name)} if target is not None else set()
    for name in carried:
        old, new = before.get(name, MISSING), cells.get(name, MISSING)
        if name in targets or old is MISSING or new is MISSING or name in invariant_free:
            continue
        compare(machine, construct, node, name, _as_carried(old), new)
    machine.log.staging(construct, "graph", node.iter if isinstance(node, ast.For) else node.test)
    bring_out(machine, activation, before)
    return RAISE if flow is RAISE else NEXT


def _as_carried(value: Value) -> Value:
    return value


def _become_tensor(machine: Machine, cells: dict, name: str, node: ast.AST) -> None:  # type: ignore[type-arg]
    """A number that the loop changes is a tensor in it; what was a tensor belongs to the loop's graph."""
    value = cells.get(name)
    if isinstance(value, Tensor):
        machine.heap.put(cells, name, value.moved(machine.origin(node)))
    elif isinstance(value, Value) and python_type(value) and not isinstance(value, TensorArray):
        machine.heap.put(cells, name, Tensor(dtype_of(value), (), machine.origin(node)))


def _element(machine: Machine, iterable: Value, node: ast.AST, loop: LoopRun) -> Value:
    value = element(machine, iterable, node, loop)
    return value.moved(machine.origin(node)) if isinstance(value, Tensor) else value


def _carried(node: ast.For | ast.While) -> list[str]:
    """The names that the body sets."""
    found: dict[str, None] = {}
    todo: list[ast.AST] = list(node.body)
    while todo:
        current = todo.pop(0)
        if isinstance(current, ast.Name) and isinstance(current.ctx, ast.Store):
            found[current.id] = None
        if not isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            todo += ast.iter_child_nodes(current)
    return list(found)


def loosen(machine: Machine, invariants: Value) -> None:
    """`set_loop_options(shape_invariants=…)`: the names given there may change their shape."""
    if not machine.log.loose_shapes:
        return
    loose = machine.log.loose_shapes[-1]
    pairs = invariants.items if isinstance(invariants, Sequence) else None
    for scope_name, value in machine.scope.cells.items():
        for pair in pairs or ():
            named = pair.items[0] if isinstance(pair, Sequence) and pair.items else pair
            if named is value or isinstance(named, Known):
                loose.add(scope_name)
