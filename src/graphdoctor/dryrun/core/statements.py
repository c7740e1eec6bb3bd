"""The statements that are neither assignments, conditions, loops nor definitions."""

import ast
import contextlib
from collections.abc import Callable, Iterator

from graphdoctor.dryrun.control.conditions import truth
from graphdoctor.dryrun.control.flow import BREAK, CONTINUE, NEXT, RAISE, RETURN, Flow, Raised
from graphdoctor.dryrun.control.path_conditions import branch
from graphdoctor.dryrun.control.staging import has_features, is_staged, is_symbolic
from graphdoctor.dryrun.control.with_statements import catches
from graphdoctor.dryrun.core.context import Returned
from graphdoctor.dryrun.core.heap import Changes
from graphdoctor.dryrun.core.items import delete_item
from graphdoctor.dryrun.core.machine import Machine, statement
from graphdoctor.dryrun.core.operators import compare_values
from graphdoctor.dryrun.libraries.tables.names import names
from graphdoctor.dryrun.values import NONE, UNKNOWN, Constant, Instance, Library, Setting, TensorArray, Value
from graphdoctor.recording.format import Conflict
from graphdoctor.source.nodes import walk

RUNTIME_ERRORS = frozenset(f"tensorflow.errors.{name}" for name in names("errors of a running graph"))


@statement(ast.Expr)
def run_expression(machine: Machine, node: ast.Expr) -> None:
    value = machine.evaluate(node.value)
    if isinstance(value, TensorArray) and isinstance(node.value, ast.Call):
        machine.log.library_call("tensorflow.TensorArray.write", node.value, dropped=True)


@statement(ast.Return)
def run_return(machine: Machine, node: ast.Return) -> Flow:
    value = machine.evaluate(node.value) if node.value is not None else NONE
    activation = machine.activation
    if machine.loops and any(loop.graph and loop.activation is activation for loop in machine.loops):
        returned = Conflict(kind="return-in-loop", after=machine.log.describe(value))
        machine.log.staging("return", "refused", node, "return-in-loop", returned)
    elif machine.loops:
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
    elif machine.graph is None and truth(value) is False and not isinstance(value, Setting):
        machine.end()


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


@statement(ast.Try, getattr(ast, "TryStar", ast.Try))
def run_try(machine: Machine, node: ast.Try) -> Flow:
    activation = machine.activation
    catching = any(map(catches, node.handlers))
    activation.handlers += catching
    operations = machine.graph.root.operations if machine.graph is not None else 0
    raised: Raised | None = None
    ended = machine.ended
    with contextlib.nullcontext(dict) if not node.handlers else _watched(machine) as changes:
        try:
            flow = machine.execute(node.body)
        except Raised as error:
            raised, flow = error, RAISE
        finally:
            activation.handlers -= catching
        if node.handlers:
            machine.ended = ended  # whatever it was: a handler may be there for it
        if machine.graph is not None and machine.graph.root.operations > operations:
            _note_graph_errors(machine, node)
        tried = changes()
        if flow is NEXT and node.orelse:
            flow = machine.execute(node.orelse)
        if node.handlers:
            after = {place: change for place, change in changes().items() if place not in tried}
            flow = _handle(machine, node, flow, tried, after)
            raised = raised if flow is RAISE else None
    if node.finalbody:
        last = machine.execute(node.finalbody)
        flow = flow if last is NEXT else last
    if flow is RAISE:
        raise raised or Raised(UNKNOWN)
    return flow


@contextlib.contextmanager
def _watched(machine: Machine) -> Iterator[Callable[[], Changes]]:
    """Note what changes; a `yield` in it is as certain as before."""
    yields = machine.activation.yields
    with machine.heap.watched() as changes:
        if yields is not None:
            yields.depth += 1
        try:
            yield changes
        finally:
            if yields is not None:
                yields.depth -= 1


def _note_graph_errors(machine: Machine, node: ast.Try) -> None:
    """Write down the handlers of errors that operations raise when the graph runs, not while tracing."""
    calls = [part for each in node.body for part in walk(each) if isinstance(part, ast.Call)]
    if any(isinstance(call.func, ast.Name) and call.func.id in ("next", "open") for call in calls):
        return  # an iterator's or file's own end, in Python
    for handler in node.handlers:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        values = [machine.evaluate(kind) for kind in kinds if kind is not None]
        names = [value.name for value in values if isinstance(value, Library)]
        if names and len(names) == len(kinds) and all(name in RUNTIME_ERRORS for name in names):
            conflict = Conflict(kind="graph-error", name=names[0].rpartition(".")[2])
            machine.log.staging("except", "python", handler.type or handler, "graph-error", conflict)


def _handle(machine: Machine, node: ast.Try, flow: Flow, tried: Changes, after: Changes) -> Flow:
    """Go on after the body, or after a handler, which finds what the body has `tried`, or not yet."""

    def handler(each: ast.ExceptHandler) -> Callable[[], Flow]:
        def run() -> Flow:
            for change in after.values():
                machine.heap.merge(change.cells, change.key, [change.before])
            for change in tried.values():
                machine.heap.merge(change.cells, change.key, [change.before, change.after])
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
    result, _ = branch(machine, [*ways, *map(handler, node.handlers)], doubtful=True)
    machine.may -= machine.activation.may_rest - rests
    machine.activation.may_rest = rests
    return result


@statement(ast.Match)
def run_match(machine: Machine, node: ast.Match) -> Flow:
    subject = machine.evaluate(node.subject)

    def case(each: ast.match_case) -> Callable[[], Flow]:
        def run() -> Flow:
            for part in walk(each.pattern):
                name = getattr(part, "name", None) or getattr(part, "rest", None)
                if isinstance(name, str):
                    whole = isinstance(part, ast.MatchAs) and part is each.pattern
                    machine.heap.put(machine.scope.cells, name, subject if whole else UNKNOWN)
            return machine.execute(each.body)

        return run

    if is_staged(machine, subject):
        machine.log.staging("match", "refused", node.subject, reason="match")
    possible: list[ast.match_case] = []
    sure = False
    for each in node.cases:
        answer = _matches(machine, subject, each)
        if answer is not False:
            possible.append(each)
        if answer:
            sure = True
            break
    if sure and len(possible) == 1:
        return case(possible[0])()
    ways = [*map(case, possible), *([] if sure else [lambda: NEXT])]
    flow, _ = branch(machine, ways, subject.varies)
    return flow


def _matches(machine: Machine, subject: Value, case: ast.match_case) -> bool | None:
    """Whether a case surely matches, surely does not, or it is unknown."""
    answer = _fits(machine, subject, case.pattern)
    return answer if case.guard is None or answer is False else None


def _fits(machine: Machine, subject: Value, pattern: ast.pattern) -> bool | None:
    if isinstance(pattern, ast.MatchAs):
        return True if pattern.pattern is None else _fits(machine, subject, pattern.pattern)
    if isinstance(pattern, ast.MatchOr):
        answers = [_fits(machine, subject, each) for each in pattern.patterns]
        return True if True in answers else None if None in answers else False
    if isinstance(pattern, ast.MatchValue) and not is_symbolic(machine, subject):
        return truth(compare_values(machine, ast.Eq(), subject, machine.evaluate(pattern.value), pattern))
    if isinstance(subject, Constant) and isinstance(pattern, ast.MatchSingleton):
        return subject.value is pattern.value
    return None
