"""Functions of the project: how a call of one begins, runs its body and ends, and what it gives."""

import ast

from graphdoctor.dryrun.control.flow import NEXT, RAISE, Flow, OutOfBudget, Raised
from graphdoctor.dryrun.control.self_closing_guards import close
from graphdoctor.dryrun.control.staging_conflicts import returned_differently
from graphdoctor.dryrun.core.arguments import Arguments, bind
from graphdoctor.dryrun.core.context import Activation, Returned, Scope
from graphdoctor.dryrun.core.definitions import forgets_names, is_generator_function
from graphdoctor.dryrun.core.drivers import define_rest
from graphdoctor.dryrun.core.machine import Machine, calls, hand_over
from graphdoctor.dryrun.tracing.autograph_conversion import WARNINGS, why_not_converted
from graphdoctor.dryrun.values import (
    NONE,
    NOWHERE,
    UNKNOWN,
    AbstractNumber,
    Function,
    Generator,
    Sequence,
    Tensor,
    Value,
    is_none,
)
from graphdoctor.dryrun.values.joining import MISSING, join
from graphdoctor.dryrun.values.structural_equality import recurses_unchanged
from graphdoctor.dryrun.values.structures import rebuilt
from graphdoctor.source.nodes import spelled
from graphdoctor.source.remembering import remembered

DEEPEST_CALL = 40
DEEPEST_RECURSION = 4


@calls(Function)
def call_function(machine: Machine, callee: Function, arguments: Arguments, node: ast.AST) -> Value:
    if machine.budget_exhausted:
        return hand_over(machine, arguments)
    machine.called.add(callee.node)
    if is_generator_function(callee):
        return Generator(callee, arguments, machine.origin(node))
    stars = callee.node.args.vararg is not None or callee.node.args.kwarg is not None
    values = bind(callee, arguments, machine.origin(node) if stars else NOWHERE)
    outer = [each for each in machine.activations if each.function and each.function.node is callee.node]
    endless = bool(outer) and _is_endless(outer, values)
    if endless or len(machine.activations) > DEEPEST_CALL:
        if endless and machine.graph is not None:
            _note_recursion(machine, callee, node)
        return UNKNOWN
    if stars and callee.module is not machine.module:
        _keep_places(machine, callee, arguments)
    try:
        return run_function(machine, callee, values, arguments)
    except Raised:
        if machine.caught or not (machine.graph is None or stands_for_others(callee.node)):
            raise
        machine.end()
        return hand_over(machine, arguments)  # programs work: others implement it, or we have misread a check
    except OutOfBudget:
        define_rest(machine, callee, values)
        if not machine.exhaust_budget():
            raise
        return hand_over(machine, arguments)


def _is_endless(outer: list[Activation], values: dict[str, Value]) -> bool:
    """Whether a call within these calls of the same function goes on as they do."""
    return len(outer) >= DEEPEST_RECURSION or any(recurses_unchanged(each.given, values) for each in outer)


@remembered(8192)
def stands_for_others(node: ast.AST) -> bool:
    """Whether a function says that others implement it: all it does is to raise NotImplementedError."""
    body = getattr(node, "body", [])
    if not isinstance(body, list) or not isinstance(body[-1], ast.Raise) or body[-1].exc is None:
        return False
    before = all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in body[:-1])
    return before and spelled(body[-1].exc).startswith("NotImplementedError")


def _keep_places(machine: Machine, callee: Function, arguments: Arguments) -> None:
    """Expressions that a function of another module hands on stand where they stood."""
    for each in arguments.nodes.values():
        callee.module.places[each] = machine.log.place(each)


def _note_recursion(machine: Machine, callee: Function, node: ast.AST) -> None:
    """A recursion that a tensor is to end goes on for ever while tracing."""
    decided = any(
        each.function is not None
        and each.function.node is callee.node
        and (each.staged or each.staged_returns)
        for each in machine.activations
    )
    if decided and not machine.may:
        machine.log.staging("recursion", "refused", node, reason="recursion")


def run_function(machine: Machine, callee: Function, values: dict[str, Value], arguments: Arguments) -> Value:
    """Run the body of a function with the values of its parameters."""
    activation = enter(machine, callee, values, arguments)
    cells = activation.scope.cells
    if forgets_names(callee):
        activation.passing = True
        machine.heap.begin(cells)
    try:
        if isinstance(callee.node, ast.Lambda):
            return machine.evaluate(callee.node.body)
        return _result(machine, activation, _flow_of_body(machine, callee.node.body, activation))
    finally:
        leave(machine, activation)
        machine.heap.end(cells)


def _flow_of_body(machine: Machine, body: list[ast.stmt], activation: Activation) -> Flow:
    """How the body of a function ends; one that raises at its end may have returned before."""
    try:
        return machine.execute(body)
    except Raised:
        if not activation.returns:
            raise
        return RAISE


def enter(machine: Machine, callee: Function, values: dict[str, Value], arguments: Arguments) -> Activation:
    """Begin a call."""
    parent: Scope | None = callee.scope
    while parent is not None and parent.kind == "class":
        parent = parent.parent
    scope = Scope(parent, callee.module, "function", machine.graph)
    scope.cells.update(values)
    activation = Activation(callee, scope, callee.module, len(machine.loops))
    activation.given = values
    if callee.owner is not None and arguments.positional:
        activation.receiver = arguments.positional[0]
    own_reason = ""
    if machine.graph is not None and machine.activations:
        own_reason = _decide_conversion(machine, callee, activation)
    machine.log.entered(callee)
    machine.activations.append(activation)
    if own_reason in WARNINGS:
        first = (*getattr(callee.node, "decorator_list", ()), callee.node)[0]  # its first line, as in a run
        machine.log.staging("function", "python", first, WARNINGS[own_reason])
    return activation


def _decide_conversion(machine: Machine, callee: Function, activation: Activation) -> str:
    """Whether AutoGraph converts what is called: as the caller is, or as the library that calls it says.

    Gives the reason why not, where that is in the function itself.
    """
    if "__converted__" in callee.cells:
        return ""
    graph, caller = machine.graph, machine.activation
    assert graph is not None
    if caller.scope.graph is not None and caller.scope.graph.base is graph.base:
        activation.unconverted, activation.blocker = caller.unconverted, caller.blocker
    else:
        activation.unconverted = graph.base.unconverted
    if activation.unconverted:
        return ""
    activation.unconverted, node = why_not_converted(callee)
    if activation.unconverted and node is not None:
        activation.blocker = machine.log.place(node, callee.module)
    return activation.unconverted


def leave(machine: Machine, activation: Activation) -> None:
    """End a call: what was uncertain in it is no longer so."""
    for guard in activation.guards:
        machine.guards.remove(guard)
        close(machine, guard)
    machine.activations.pop()
    machine.may -= activation.may_rest


def _result(machine: Machine, activation: Activation, flow: Flow) -> Value:
    """What a call gives back, over all its `return` statements."""
    returns = list(activation.returns)
    if flow is NEXT:
        staged = [each for each in returns if each.depth and not is_none(each.value)]
        end = Returned(NONE, activation.function.node if activation.function else ast.Pass(), 0, machine.may)
        if staged:
            returned_differently(machine, staged[0].node, [staged[0], end])
        returns.append(end)
    elif activation.staged_returns and len(returns) > 1:
        first = next((each for each in returns if each.depth), returns[0])
        returned_differently(machine, first.node, returns)
    elif flow is RAISE and not returns:
        raise Raised(UNKNOWN)
    result: Value = MISSING
    for each in returns:
        result = join(result, each.value)
    if activation.staged_returns:
        result = _brought_out(machine, result, returns[0].node)
    return NONE if result is MISSING else _when_loops_are_over(machine, result)


def _when_loops_are_over(machine: Machine, value: Value) -> Value:
    """What a call gives has one size, whatever its own loops went through to make it."""
    running = set(machine.loops)

    def settled(part: Value) -> Value:
        if not isinstance(part, Tensor) or not part.shape:
            return part
        sizes = [size for size in part.shape if isinstance(size, AbstractNumber) and size.varies]
        if not sizes or all(size.varies <= running for size in sizes):
            return part
        return part.shaped(
            tuple(_of_now(machine, size) if isinstance(size, AbstractNumber) else size for size in part.shape)
        )

    return rebuilt(value, settled, kinds=("tuple",)) if isinstance(value, (Tensor, Sequence)) else value


def _of_now(machine: Machine, size: AbstractNumber) -> AbstractNumber:
    made = AbstractNumber("int", size.varies & set(machine.loops), size.few, term=size.term)
    made.open = size.open
    return made


def _brought_out(machine: Machine, value: Value, node: ast.AST) -> Value:
    """What staged branches return belongs to the graph around them."""

    def moved(part: Value) -> Value:
        inner = isinstance(part, Tensor) and part.graph is not None and part.graph is not machine.graph
        return part.moved(machine.origin(node)) if isinstance(part, Tensor) and inner else part

    return rebuilt(value, moved)
