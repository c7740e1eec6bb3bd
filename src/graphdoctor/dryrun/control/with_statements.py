"""`with`: what its managers do before the block, around it and after it."""

from __future__ import annotations

import ast
from collections.abc import Callable

from graphdoctor.dryrun.control.exception_handlers import expects
from graphdoctor.dryrun.control.flow import NEXT, Flow
from graphdoctor.dryrun.control.generators import run_around
from graphdoctor.dryrun.control.staging_conflicts import returned_differently
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.assignments import assign
from graphdoctor.dryrun.core.attributes import get_attribute
from graphdoctor.dryrun.core.context import Returned
from graphdoctor.dryrun.core.machine import Machine, statement
from graphdoctor.dryrun.libraries.tensorflow.tapes import enter_library
from graphdoctor.dryrun.values import NONE, Function, Generator, Instance, LibraryObject, Tape, Union, Value
from graphdoctor.source.nodes import spelled, walk

WITHOUT_GRAPH = ("device", "name_scope", "variable_scope", "GradientTape", "open", "suppress")


@statement(ast.With, ast.AsyncWith)
def run_with(machine: Machine, node: ast.With) -> Flow:
    return _run_within(machine, node, node.items)


def _run_within(machine: Machine, node: ast.With, items: list[ast.withitem]) -> Flow:
    """Run the block inside those managers that are not open yet."""
    if not items:
        return _run_block(machine, node)
    item = items[0]
    manager = machine.evaluate(item.context_expr)
    expected = expects(manager, item.context_expr)
    opens = _may_open_graph(manager, item.context_expr)

    def block(entered: Value) -> Flow:
        if item.optional_vars is not None:
            assign(machine, item.optional_vars, entered, node)
        machine.activation.expecting += expected
        machine.activation.within += opens
        try:
            return _run_within(machine, node, items[1:])
        finally:
            machine.activation.expecting -= expected
            machine.activation.within -= opens

    if isinstance(manager, Generator):
        return run_around(machine, manager, block)
    entered, leave = _enter(machine, manager, item.context_expr)
    try:
        return block(entered)
    finally:
        leave()


def _may_open_graph(manager: Value, node: ast.expr) -> bool:
    """Whether a manager may be a session or graph of TensorFlow 1, or open one."""
    if isinstance(manager, Generator) and manager.function is not None:
        return False  # what it opens itself is seen
    entering = manager.cls.find("__enter__") if isinstance(manager, Instance) else None
    if isinstance(entering, Function):
        return any(isinstance(part, ast.Call) for part in walk(entering.node))
    called = node.func if isinstance(node, ast.Call) else node
    return spelled(called).rpartition(".")[2] not in WITHOUT_GRAPH


def _run_block(machine: Machine, node: ast.With) -> Flow:
    """Run the block. Run on 2.21: where a tensor decides on a `return` in it, all its ways must return."""
    activation = machine.activation
    first = len(activation.returns)
    flow = machine.execute(_suppressing(node) or node.body)
    staged = [each for each in activation.returns[first:] if each.depth > activation.staged]
    if flow is NEXT and staged and machine.graph is not None and not machine.unconverted:
        end = Returned(NONE, node, activation.staged, machine.may)
        returned_differently(machine, staged[0].node, [staged[0], end])
    return flow


def _suppressing(node: ast.With) -> list[ast.stmt] | None:
    """`with suppress(KeyError): …`, as the `try` that it is; the same one each time."""
    calls = [item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call)]
    ignored = [each.args for each in calls if spelled(each.func).rpartition(".")[2] == "suppress"]
    if not ignored:
        return None
    known: list[ast.stmt] | None = getattr(node, "suppressing", None)
    if known is None:
        kinds = ast.Tuple([kind for kinds in ignored for kind in kinds], ast.Load())
        handler = ast.ExceptHandler(
            ast.copy_location(kinds, node), None, [ast.copy_location(ast.Pass(), node)]
        )
        tried = ast.Try(node.body, [ast.copy_location(handler, node)], [], [])
        known = node.suppressing = [ast.copy_location(tried, node)]  # type: ignore[attr-defined]
    return known


def _enter(machine: Machine, manager: Value, node: ast.expr) -> tuple[Value, Callable[[], None]]:
    """What `with` gives to the name after `as`, and what happens at the end."""
    if isinstance(manager, LibraryObject) and manager.kind == "closing":
        thing = manager.arguments["thing"]

        def close() -> None:
            machine.call(get_attribute(machine, thing, "close", node), Arguments(), node)

        return thing, close
    if isinstance(manager, (Tape, LibraryObject)):
        return enter_library(machine, manager, node)
    if isinstance(manager, Union):  # of tapes, say, each of which a loop fills until it makes the next one
        leaving = [_enter(machine, each, node)[1] for each in manager.alternatives if isinstance(each, Tape)]

        def leave_all() -> None:
            for each in reversed(leaving):
                each()

        return manager, leave_all
    if isinstance(manager, Instance) and manager.cls.find("__enter__") is not None:
        method = get_attribute(machine, manager, "__enter__", node)
        given = machine.call(method, Arguments(), node)

        def leave() -> None:
            ending = get_attribute(machine, manager, "__exit__", node)
            machine.call(ending, Arguments([NONE, NONE, NONE]), node)

        return given, leave
    return manager, lambda: None
