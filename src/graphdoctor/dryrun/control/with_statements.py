"""`with` and `try`: what managers do around a block, and which exceptions a program takes upon itself."""

import ast
from collections.abc import Callable

from graphdoctor.dryrun.control.flow import NEXT, Flow
from graphdoctor.dryrun.control.generators import run_around
from graphdoctor.dryrun.control.staging_conflicts import returned_differently
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.assignments import assign
from graphdoctor.dryrun.core.context import Returned
from graphdoctor.dryrun.core.machine import Machine, statement
from graphdoctor.dryrun.libraries.tables.names import names
from graphdoctor.dryrun.libraries.tensorflow.tapes import enter_library
from graphdoctor.dryrun.values import NONE, Function, Generator, Instance, LibraryObject, Tape, Union, Value
from graphdoctor.source.nodes import spelled, walk
from graphdoctor.source.remembering import remembered

# What `except` names here is never raised while tracing because of a tensor.
OTHERS = names("exceptions of Python alone")


@remembered(4096)
def catches(handler: ast.ExceptHandler) -> bool:
    """Whether a handler may end what TensorFlow raises while it traces."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = [spelled(kind) for kind in kinds if kind is not None]
    if isinstance(handler.body[-1], ast.Raise):
        return False
    return not names or any(name not in OTHERS and ".errors." not in name for name in names)


def expects(manager: Value, written: ast.expr) -> bool:
    """Whether a `with` is there for what its block raises: `pytest.raises(…)`, or one's own."""
    if isinstance(manager, Generator) and manager.function is not None:
        return _yields_to_handlers(manager.function.node)
    if isinstance(manager, Instance):
        leaving = manager.cls.find("__exit__")
        return isinstance(leaving, Function) and _returns_yes(leaving.node)
    function = written.func if isinstance(written, ast.Call) else None
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in ("raises", "suppress") or name.startswith("assertRaises")


@remembered(4096)
def _yields_to_handlers(function: ast.AST) -> bool:
    """Whether what is raised at the `yield` of a context manager ends in one of its handlers."""
    tries = [node for node in walk(function) if isinstance(node, ast.Try)]
    return any(
        any(map(catches, node.handlers))
        and any(isinstance(part, ast.Yield) for each in node.body for part in walk(each))
        for node in tries
    )


@remembered(4096)
def _returns_yes(leaving: ast.AST) -> bool:
    """Whether an `__exit__` may say that the exception is dealt with."""
    returned = [node.value for node in walk(leaving) if isinstance(node, ast.Return)]
    return any(isinstance(value, ast.Constant) and value.value is True for value in returned)


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
            machine.call_method(thing, "close", Arguments(), node)

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
        method = machine.attribute(manager, "__enter__", node)
        given = machine.call(method, Arguments(), node)

        def leave() -> None:
            ending = machine.attribute(manager, "__exit__", node)
            machine.call(ending, Arguments([NONE, NONE, NONE]), node)

        return given, leave
    return manager, lambda: None
