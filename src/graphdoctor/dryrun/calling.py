"""Calls: functions of the project, methods, classes, partials, memories."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable

from graphdoctor.dryrun.arguments import Arguments, bind, parameter_names
from graphdoctor.dryrun.branching import branch
from graphdoctor.dryrun.conflicts import returned_differently
from graphdoctor.dryrun.context import Activation, Returned, Scope
from graphdoctor.dryrun.conversion import WARNINGS, why_not_converted
from graphdoctor.dryrun.definitions import forgets_names, is_generator_function, underlying
from graphdoctor.dryrun.flow import NEXT, RAISE, Flow, OutOfBudget, Raised
from graphdoctor.dryrun.guards import close
from graphdoctor.dryrun.iterating import element, items_of, settled
from graphdoctor.dryrun.joining import MISSING, join, join_all
from graphdoctor.dryrun.keys import is_exact, key_of
from graphdoctor.dryrun.likeness import goes_on_alike
from graphdoctor.dryrun.machine import Machine, calls, expression, hand_over
from graphdoctor.dryrun.models.registry import call_library, call_library_object, call_method
from graphdoctor.dryrun.staging import is_symbolic, may_be_list
from graphdoctor.dryrun.state import note_remembered
from graphdoctor.dryrun.temporaries import note_temporary
from graphdoctor.dryrun.unfinished import define_rest
from graphdoctor.dryrun.values import (
    NONE,
    NOWHERE,
    UNKNOWN,
    Alternatives,
    BoundMethod,
    Choice,
    Class,
    Descriptor,
    Dictionary,
    Function,
    Generator,
    GraphFunction,
    Instance,
    Known,
    Library,
    LibraryObject,
    Memoized,
    Method,
    Partial,
    Sequence,
    Tensor,
    Unknown,
    Value,
    is_none,
)

DEEPEST_CALL = 40
DEEPEST_RECURSION = 4
NOT_COUNTED = frozenset((Library, LibraryObject, Method, Class, Unknown))  # nobody knows what these take


@expression(ast.Call)
def evaluate_call(machine: Machine, node: ast.Call) -> Value:
    callee = machine.evaluate(node.func)
    arguments = evaluate_arguments(machine, node)
    activation = machine.activations[-1]
    around, activation.node = activation.node, node
    if callee.__class__ is BoundMethod or callee.__class__ is Partial:
        note_temporary(machine, callee, node)
    if lacks_arguments(callee, arguments):
        raise Raised(UNKNOWN)  # TypeError, before anything of it runs
    try:
        return machine.call(callee, arguments, node)
    finally:
        activation.node = around


def lacks_arguments(callee: Value, arguments: Arguments) -> bool:
    """Whether a call, as it is written, surely has too few or too many arguments."""
    if callee.__class__ in NOT_COUNTED:
        return False
    if isinstance(callee, Instance) and callee.cls.derives("keras.") and callee.cls.find("__call__") is None:
        callee = BoundMethod(callee.cls.find("call") or UNKNOWN, callee)
    function = callee
    given = len(arguments.positional)
    if isinstance(function, BoundMethod):
        function, given = function.function, given + 1
    if isinstance(function, GraphFunction):
        function = function.function
    if not isinstance(function, Function) or arguments.loose or "__decorated__" in function.cells:
        return False
    signature, names = function.node.args, parameter_names(function)
    needed = names[given : len(names) - len(function.defaults)]
    too_many = given > len(names) and signature.vararg is None
    return too_many or any(name not in arguments.keywords for name in needed)


def evaluate_arguments(machine: Machine, node: ast.Call) -> Arguments:
    """The arguments of a call, stars spread out where they are known."""
    arguments = Arguments()
    positional, nodes = arguments.positional, arguments.nodes
    for argument in node.args:
        if argument.__class__ is ast.Starred:
            value = settled(machine.evaluate(argument.value))
            _spread(machine, arguments, value, argument)
        elif arguments.loose:
            machine.evaluate(argument)  # after a star that nobody knows its place is not known either
        else:
            nodes[len(positional)] = argument
            positional.append(machine.evaluate(argument))
    for keyword in node.keywords:
        value = machine.evaluate(keyword.value)
        if keyword.arg is not None:
            arguments.keywords[keyword.arg] = value
            nodes[keyword.arg] = keyword.value
        elif isinstance(value, Dictionary):
            arguments.keywords.update({str(key): item for key, item in value.entries.items()})
            arguments.nodes.update(value.sources)
            arguments.loose = arguments.loose or not value.complete
        else:
            arguments.loose = True
    return arguments


def _spread(machine: Machine, arguments: Arguments, value: Value, node: ast.Starred) -> None:
    items = items_of(machine, value)
    if is_symbolic(machine, value) and not may_be_list(machine, value):
        machine.log.use("unpack", node.value, value)
    if items is None:
        arguments.loose = True
        element(machine, value, node)
        return
    sources = value.sources if isinstance(value, Sequence) else {}
    for position, item in enumerate(items):
        arguments.nodes[len(arguments.positional)] = sources.get(position, node)
        arguments.positional.append(item)


@calls(Unknown)
def call_unknown(machine: Machine, callee: Unknown, arguments: Arguments, node: ast.AST) -> Value:
    """Nobody knows what is called; that a model is told to run eagerly can be seen all the same."""
    if machine.graph is not None:
        machine.graph.root.content = None
    method = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
    if method == "compile" and "run_eagerly" in arguments.keywords:
        eagerly = arguments.keywords["run_eagerly"]
        known = eagerly.value if isinstance(eagerly, Known) else None
        machine.log.applied("compile", None, node, eagerly=str(known))
    elif method == "compile" and "loss" in arguments.keywords:
        from graphdoctor.dryrun.models.keras_symbolic import assume_trained

        assume_trained(machine, arguments, node)
    return hand_over(arguments)


@calls(Choice, Alternatives)
def call_choice(machine: Machine, callee: Choice, arguments: Arguments, node: ast.AST) -> Value:
    """Each of several values is called; one of those that a loop has made alike, and that for certain."""
    several = machine.twins.without(callee.alternatives)
    if len(several) == 1:
        return machine.call(several[0], arguments, node)
    results: list[Value] = []

    def way(each: Value) -> Callable[[], Flow]:
        def run() -> Flow:
            results.append(machine.call(each, arguments, node))
            return NEXT

        return run

    ways = [way(each) for each in several if not isinstance(each, Known)]
    kept = any(isinstance(each, GraphFunction) for each in several)  # by a cache, say
    branch(machine, ways, unknown=not isinstance(callee, Alternatives), doubtful=kept)
    return join_all(results)


@calls(Function)
def call_function(machine: Machine, callee: Function, arguments: Arguments, node: ast.AST) -> Value:
    if machine.hurried:
        return hand_over(arguments)
    machine.called.add(callee.node)
    if is_generator_function(callee):
        return Generator(callee, arguments, machine.origin(node))
    stars = callee.node.args.vararg is not None or callee.node.args.kwarg is not None
    values = bind(callee, arguments, machine.origin(node) if stars else NOWHERE)
    outer = [each for each in machine.activations if each.function and each.function.node is callee.node]
    endless = len(outer) >= DEEPEST_RECURSION or any(goes_on_alike(each.given, values) for each in outer)
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
        return hand_over(arguments)  # programs work: others implement it, or we have misread a check
    except OutOfBudget:
        define_rest(machine, callee, values)
        if not machine.hurry():
            raise
        return hand_over(arguments)


@functools.lru_cache(maxsize=8192)
def stands_for_others(node: ast.AST) -> bool:
    """Whether a function says that others implement it: all it does is to raise NotImplementedError."""
    body = getattr(node, "body", [])
    if not isinstance(body, list) or not isinstance(body[-1], ast.Raise) or body[-1].exc is None:
        return False
    before = all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in body[:-1])
    return before and ast.unparse(body[-1].exc).startswith("NotImplementedError")


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
    return NONE if result is MISSING else result


def _brought_out(machine: Machine, value: Value, node: ast.AST) -> Value:
    """What staged branches return belongs to the graph around them."""
    if isinstance(value, Tensor) and value.graph is not None and value.graph is not machine.graph:
        return value.moved(machine.origin(node))
    if isinstance(value, Sequence) and value.items is not None:
        items = tuple(_brought_out(machine, item, node) for item in value.items)
        return Sequence(value.kind, items, value.origin, fields=value.fields)
    return value


@expression(ast.Await)
def evaluate_await(machine: Machine, node: ast.Await) -> Value:
    return machine.evaluate(node.value)


@calls(BoundMethod)
def call_bound(machine: Machine, callee: BoundMethod, arguments: Arguments, node: ast.AST) -> Value:
    function = callee.function
    if isinstance(function, GraphFunction):
        function = of_instance(function, callee.receiver)
    return machine.call(function, arguments.after(callee.receiver), node)


def of_instance(function: GraphFunction, receiver: Value) -> GraphFunction:
    """TensorFlow makes one Function for each object that a graph method is read from."""
    if not isinstance(receiver, (Instance, LibraryObject)):
        return function
    known = function.per_instance.get(id(receiver))
    if known is None:
        known = GraphFunction(function.function, function.options, receiver.origin)
        known.receiver = receiver
        function.per_instance[id(receiver)] = known
    return known


@calls(Partial)
def call_partial(machine: Machine, callee: Partial, arguments: Arguments, node: ast.AST) -> Value:
    together = arguments.after(*callee.positional)
    together.keywords = {**callee.keywords, **together.keywords}
    for name, source in callee.sources.items():
        if name not in together.nodes and callee.origin.module is not None:
            together.nodes[name] = source
            machine.module.places[source] = machine.log.place(source, callee.origin.module)
    return machine.call(callee.function, together, node)


def _node_of(arguments: Arguments, value: Value) -> ast.AST | None:
    """The expression that gave an argument."""
    named: list[tuple[int | str, Value]] = [*enumerate(arguments.positional), *arguments.keywords.items()]
    return next((arguments.nodes.get(key) for key, given in named if given is value), None)


@calls(Memoized)
def call_memoized(machine: Machine, callee: Memoized, arguments: Arguments, node: ast.AST) -> Value:
    given = [*arguments.positional, *(arguments.keywords[name] for name in sorted(arguments.keywords))]
    tensor = next((each for each in given if isinstance(each, Tensor) and not each.supposed), None)
    if tensor is not None and is_symbolic(machine, tensor):  # a cache looks its arguments up by their hash
        machine.log.use("key", node, tensor, "lru_cache", _node_of(arguments, tensor))
        return UNKNOWN
    key = tuple(map(key_of, given))
    cells, heap = callee.cells, machine.heap
    if key in cells:
        result: Value = cells[key]
        heap.remove(cells, key)  # what was asked for last is forgotten last
        heap.put(cells, key, result)
        return result
    start = len(machine.log.events)
    result = machine.call(callee.function, arguments, node)
    machine.log.mark_once(start)
    if callee.room > 0:
        if len(cells) >= callee.room:
            heap.remove(cells, next(iter(cells)))
        heap.put(cells, key, result)
        function = underlying(callee)
        if function is not None and not arguments.loose and all(map(is_exact, given)):
            note_remembered(machine, result, function.name, node)
    return result


@calls(Descriptor)
def call_descriptor(machine: Machine, callee: Descriptor, arguments: Arguments, node: ast.AST) -> Value:
    return machine.call(callee.function, arguments, node)


@calls(Class)
def call_class(machine: Machine, callee: Class, arguments: Arguments, node: ast.AST) -> Value:
    from graphdoctor.dryrun.instances import instantiate

    if machine.hurried:
        return hand_over(arguments)
    return instantiate(machine, callee, arguments, node)


@calls(Instance)
def call_instance(machine: Machine, callee: Instance, arguments: Arguments, node: ast.AST) -> Value:
    from graphdoctor.dryrun.instances import call_object

    return call_object(machine, callee, arguments, node)


@calls(GraphFunction)
def call_graph_function(
    machine: Machine, callee: GraphFunction, arguments: Arguments, node: ast.AST
) -> Value:
    from graphdoctor.dryrun.tracing import call_traced

    if machine.hurried:
        return hand_over(arguments)
    return call_traced(machine, callee, arguments, node)


@calls(Library)
def call_named(machine: Machine, callee: Library, arguments: Arguments, node: ast.AST) -> Value:
    return call_library(machine, callee.name, arguments, node)


@calls(LibraryObject)
def call_made(machine: Machine, callee: LibraryObject, arguments: Arguments, node: ast.AST) -> Value:
    return call_library_object(machine, callee, arguments, node)


@calls(Method)
def call_named_method(machine: Machine, callee: Method, arguments: Arguments, node: ast.AST) -> Value:
    return call_method(machine, callee.receiver, callee.name, arguments, node)
