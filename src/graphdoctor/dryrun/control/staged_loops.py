"""AutoGraph: a loop over a tensor or dataset, or while a tensor says so, becomes a loop of the graph."""

import ast
from collections.abc import Callable

from graphdoctor.dryrun.control.carried_state import become_tensors, carried_by, is_handed_on, move_out
from graphdoctor.dryrun.control.flow import NEXT, RAISE, Flow
from graphdoctor.dryrun.control.staging import in_subgraph
from graphdoctor.dryrun.control.staging_conflicts import compare
from graphdoctor.dryrun.core.arguments import default_given
from graphdoctor.dryrun.core.assignments import assign
from graphdoctor.dryrun.core.context import LoopRun
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import Constant, Sequence, Tensor, Value, numbers
from graphdoctor.dryrun.values.dtypes import shape_given
from graphdoctor.dryrun.values.iteration import count_of, element
from graphdoctor.dryrun.values.joining import MISSING
from graphdoctor.source.nodes import walk


def run_staged_loop(
    machine: Machine,
    node: ast.For | ast.While,
    target: ast.expr | None,
    iterable: Value,
    body: Callable[[], Flow],
) -> Flow:
    """Trace the body once, in a graph of its own, and compare what it carries between iterations."""
    activation = machine.activation
    cells = activation.scope.cells
    before, bound = dict(cells), dict(activation.bound)
    loop = LoopRun(node, machine.module, count_of(iterable), activation, graph=True)
    carried = carried_by(machine, node.body)
    invariant_free: set[str] = set()
    machine.loops.append(loop)

    def iteration() -> Flow:
        become_tensors(machine, carried, node)
        loop.begun = next(numbers)
        if target is not None:
            assign(machine, target, _element(machine, iterable, node, loop), target)
            loop.targets.update((id(cells), n.id) for n in walk(target) if isinstance(n, ast.Name))
        machine.log.loose_shapes.append(invariant_free)
        try:
            return body()
        finally:
            machine.log.loose_shapes.pop()

    try:
        flow = in_subgraph(machine, "loop", iteration, loop)
    finally:
        machine.loops.pop()
    construct = "for" if isinstance(node, ast.For) else "while"
    targets = {n.id for n in walk(target) if isinstance(n, ast.Name)} if target is not None else set()
    for each in carried:
        old, new = each.before, each.cells.get(each.key, MISSING)
        if each.name in targets or old is MISSING or new is MISSING or each.name in invariant_free:
            continue
        if each.is_name and not is_handed_on(machine, each.name, node):
            continue
        start = bound.get(each.name) or default_given(activation.function, each.name, old)
        compare(machine, construct, node, each.name, old, new, (start, activation.bound.get(each.name)))
    machine.log.staging(construct, "graph", node.iter if isinstance(node, ast.For) else node.test)
    move_out(machine, carried, before)
    return RAISE if flow is RAISE else NEXT


def _element(machine: Machine, iterable: Value, node: ast.AST, loop: LoopRun) -> Value:
    value = element(machine, iterable, node, loop)
    return value.moved(machine.origin(node)) if isinstance(value, Tensor) else value


def loosen(machine: Machine, invariants: Value) -> None:
    """`set_loop_options(shape_invariants=…)`: the names given there may change their shape."""
    if not machine.log.loose_shapes:
        return
    loose = machine.log.loose_shapes[-1]
    pairs = invariants.items if isinstance(invariants, Sequence) else None
    for scope_name, value in list(machine.scope.cells.items()):
        for pair in pairs or ():
            named, *shape = pair.items if isinstance(pair, Sequence) and pair.items else (pair,)
            if named is value or isinstance(named, Constant):
                loose.add(scope_name)
            if named is value and shape:
                machine.heap.put(machine.scope.cells, scope_name, of_invariant(value, shape[0]))


def of_invariant(value: Value, invariant: Value) -> Value:
    """What a loop carries, with no more of its shape than the program says."""
    return value.shaped(shape_given(invariant)) if isinstance(value, Tensor) else value
