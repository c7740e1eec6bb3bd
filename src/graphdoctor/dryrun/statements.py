"""The statements that are neither assignments, conditions, loops nor definitions."""

from __future__ import annotations

import ast
from collections.abc import Callable

from graphdoctor.dryrun.arguments import Arguments
from graphdoctor.dryrun.branching import branch
from graphdoctor.dryrun.catching import catches, expects
from graphdoctor.dryrun.conflicts import returned_differently
from graphdoctor.dryrun.context import Returned
from graphdoctor.dryrun.flow import BREAK, CONTINUE, NEXT, RAISE, RETURN, Flow, Raised
from graphdoctor.dryrun.items import delete_item
from graphdoctor.dryrun.iterating import element
from graphdoctor.dryrun.machine import Machine, statement
from graphdoctor.dryrun.staging import has_features, is_staged
from graphdoctor.dryrun.values import (
    NONE,
    UNKNOWN,
    Generator,
    Instance,
    Known,
    Library,
    LibraryObject,
    Tape,
    TensorArray,
    Value,
)
from graphdoctor.recording.format import Conflict

RUNTIME_ERRORS = frozenset(
    f"tensorflow.errors.{name}"
    for name in (
        "InvalidArgumentError", "OutOfRangeError", "NotFoundError", "ResourceExhaustedError", "OpError",
        "DataLossError", "AbortedError", "CancelledError", "DeadlineExceededError", "UnavailableError",
        "FailedPreconditionError", "InternalError", "UnknownError",
    )
)  # fmt: skip


@statement(ast.Expr)
def run_expression(machine: Machine, node: ast.Expr) -> None:
    value = machine.evaluate(node.value)
    if isinstance(value, TensorArray) and isinstance(node.value, ast.Call):
        machine.log.library_call("tensorflow.TensorArray.write", node.value, dropped=True)


@statement(ast.Return)
def run_return(machine: Machine, node: ast.Return) -> Flow:
    value = machine.evaluate(node.value) if node.value is not None else NONE
    activation = machine.activation
    staged = [loop for loop in machine.loops if loop.graph and loop.activation is activation]
    if staged:
        returned = Conflict(kind="return-in-loop", after=machine.log.describe(value))
        machine.log.staging("return", "refused", node, "return-in-loop", returned)
    else:
        _leave_python_loop(machine, "return", node)
    activation.returns.append(Returned(value, node, activation.staged, machine.may))
    return RETURN


def _leave_python_loop(machine: Machine, construct: str, node: ast.stmt) -> None:
    """Write down that a tensor decides when a Python loop of this very call ends."""
    activation = machine.activation
    mine = [loop for loop in machine.loops if loop.activation is activation]
    if not mine or mine[-1].graph or not mine[-1].certain or activation.staged <= mine[-1].staged:
        return
    loop = mine[-1].node
    endless = isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant)
    machine.log.staging(construct, "refused", node, reason="break-endless" if endless else "break")


@statement(ast.Break)
def run_break(machine: Machine, node: ast.Break) -> Flow:
    _leave_python_loop(machine, "break", node)
    return BREAK


@statement(ast.Continue)
def run_continue(machine: Machine, node: ast.Continue) -> Flow:
    return CONTINUE


@statement(ast.Raise)
def run_raise(machine: Machine, node: ast.Raise) -> Flow:
    value = machine.evaluate(node.exc) if node.exc is not None else UNKNOWN
    graph = machine.graph
    if graph is not None and graph.kind in ("if", "loop") and machine.may == graph.may:
        machine.log.staging("raise", "refused", node, reason="raise")
    raise Raised(value)


@statement(ast.Assert)
def run_assert(machine: Machine, node: ast.Assert) -> None:
    value = machine.evaluate(node.test)
    if is_staged(machine, value) and not has_features(machine):
        machine.log.staging("assert", "refused", node.test, reason="assert")


@statement(ast.Global)
def run_global(machine: Machine, node: ast.Global) -> None:
    machine.scope.global_names += tuple(node.names)


@statement(ast.Nonlocal)
def run_nonlocal(machine: Machine, node: ast.Nonlocal) -> None:
    machine.scope.outer_names += tuple(node.names)


@statement(ast.Delete)
def run_delete(machine: Machine, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            machine.heap.remove(machine.scope.cells, target.id)
        elif isinstance(target, ast.Attribute):
            holder = machine.evaluate(target.value)
            if isinstance(holder, Instance):
                machine.heap.remove(holder.cells, target.attr)
        elif isinstance(target, ast.Subscript):
            delete_item(machine, target)


@statement(ast.With, ast.AsyncWith)
def run_with(machine: Machine, node: ast.With) -> Flow:
    from graphdoctor.dryrun.assigning import assign

    leaving: list[Callable[[], None]] = []
    expected = False
    flow = NEXT
    try:
        for item in node.items:
            manager = machine.evaluate(item.context_expr)
            expected = expected or expects(manager, item.context_expr)
            entered, leave = _enter(machine, manager, item.context_expr)
            leaving.append(leave)
            if item.optional_vars is not None:
                assign(machine, item.optional_vars, entered, node)
        machine.activation.expecting += expected
        try:
            flow = _execute_with(machine, node)
        finally:
            machine.activation.expecting -= expected
    finally:
        for leave in reversed(leaving):
            leave()
    return flow


def _execute_with(machine: Machine, node: ast.With) -> Flow:
    """Run the block. Run on 2.21: where a tensor decides on a `return` in it, all its ways must return."""
    activation = machine.activation
    first = len(activation.returns)
    flow = machine.execute(node.body)
    staged = [each for each in activation.returns[first:] if each.depth > activation.staged]
    if flow is NEXT and staged and machine.graph is not None and not machine.unconverted:
        end = Returned(NONE, node, activation.staged, machine.may)
        returned_differently(machine, staged[0].node, [staged[0], end])
    return flow


def _enter(machine: Machine, manager: Value, node: ast.expr) -> tuple[Value, Callable[[], None]]:
    """What `with` gives to the name after `as`, and what happens at the end."""
    from graphdoctor.dryrun.attributes import get_attribute
    from graphdoctor.dryrun.models.contexts import enter_library

    if isinstance(manager, (Tape, LibraryObject)):
        return enter_library(machine, manager, node)
    if isinstance(manager, Instance) and manager.cls.find("__enter__") is not None:
        method = get_attribute(machine, manager, "__enter__", node)
        given = machine.call(method, Arguments(), node)

        def leave() -> None:
            ending = get_attribute(machine, manager, "__exit__", node)
            machine.call(ending, Arguments([NONE, NONE, NONE]), node)

        return given, leave
    if isinstance(manager, Generator):
        from graphdoctor.dryrun.generators import enter_generator

        return enter_generator(machine, manager, node)
    return element(machine, manager, node) if isinstance(manager, Generator) else manager, lambda: None


@statement(ast.Try, getattr(ast, "TryStar", ast.Try))
def run_try(machine: Machine, node: ast.Try) -> Flow:
    activation = machine.activation
    catching = any(map(catches, node.handlers))
    activation.handlers += catching
    operations = machine.graph.root.operations if machine.graph is not None else 0
    raised: Raised | None = None
    try:
        flow = machine.execute(node.body)
    except Raised as error:
        raised, flow = error, RAISE
    finally:
        activation.handlers -= catching
    if machine.graph is not None and machine.graph.root.operations > operations:
        _note_graph_errors(machine, node)
    if node.handlers:
        flow = _handle(machine, node, flow)
        raised = raised if flow is RAISE else None
    if flow is NEXT and node.orelse:
        flow = machine.execute(node.orelse)
    if node.finalbody:
        last = machine.execute(node.finalbody)
        flow = flow if last is NEXT else last
    if flow is RAISE:
        raise raised or Raised(UNKNOWN)
    return flow


def _note_graph_errors(machine: Machine, node: ast.Try) -> None:
    """Write down the handlers of errors that operations raise when the graph runs, not while tracing."""
    calls = [part for each in node.body for part in ast.walk(each) if isinstance(part, ast.Call)]
    if any(isinstance(call.func, ast.Name) and call.func.id in ("next", "open") for call in calls):
        return  # an iterator's or file's own end, in Python
    for handler in node.handlers:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        values = [machine.evaluate(kind) for kind in kinds if kind is not None]
        names = [value.name for value in values if isinstance(value, Library)]
        if names and len(names) == len(kinds) and all(name in RUNTIME_ERRORS for name in names):
            conflict = Conflict(kind="graph-error", name=names[0].rpartition(".")[2])
            machine.log.staging("except", "python", handler.type or handler, "graph-error", conflict)


def _handle(machine: Machine, node: ast.Try, flow: Flow) -> Flow:
    """Go on after the body, or after one of the handlers."""

    def handler(each: ast.ExceptHandler) -> Callable[[], Flow]:
        def run() -> Flow:
            if each.name:
                machine.heap.put(machine.scope.cells, each.name, UNKNOWN)
            start = len(machine.log.events)
            flow = machine.execute(each.body)
            machine.log.mark_once(start)  # what is done about an error is not for each call
            return flow

        return run

    if flow is RAISE and len(node.handlers) == 1:
        return handler(node.handlers[0])()
    ways: list[Callable[[], Flow]] = [] if flow is RAISE else [lambda: flow]
    rests = machine.activation.may_rest
    result, _ = branch(machine, [*ways, *map(handler, node.handlers)])
    machine.may -= machine.activation.may_rest - rests
    machine.activation.may_rest = rests
    return result


@statement(ast.Match)
def run_match(machine: Machine, node: ast.Match) -> Flow:
    subject = machine.evaluate(node.subject)

    def case(each: ast.match_case) -> Callable[[], Flow]:
        def run() -> Flow:
            for part in ast.walk(each.pattern):
                name = getattr(part, "name", None) or getattr(part, "rest", None)
                if isinstance(name, str):
                    whole = isinstance(part, ast.MatchAs) and part is each.pattern
                    machine.heap.put(machine.scope.cells, name, subject if whole else UNKNOWN)
            return machine.execute(each.body)

        return run

    if is_staged(machine, subject):
        machine.log.staging("match", "refused", node.subject, reason="match")
    possible: list[ast.match_case] = []
    for each in node.cases:
        answer = _matches(subject, each)
        if answer is not False:
            possible.append(each)
        if answer:
            break
    if len(possible) == 1 and _matches(subject, possible[0]):
        return case(possible[0])()
    flow, _ = branch(machine, [*map(case, possible), lambda: NEXT], subject.varies)
    return flow


def _matches(subject: Value, case: ast.match_case) -> bool | None:
    """Whether a case surely matches, surely does not, or nobody knows."""
    pattern = case.pattern
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and case.guard is None:
        return True
    if isinstance(subject, Known) and isinstance(pattern, ast.MatchValue) and case.guard is None:
        value = pattern.value
        return subject.value == value.value if isinstance(value, ast.Constant) else None
    if isinstance(subject, Known) and isinstance(pattern, ast.MatchSingleton):
        return subject.value is pattern.value
    return None
