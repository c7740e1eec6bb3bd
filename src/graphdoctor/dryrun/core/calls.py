"""Calls: functions of the project, methods, classes, partials, memories."""

import ast
from collections.abc import Callable
from typing import Final

from graphdoctor.dryrun.control.flow import NEXT, Flow, Raised
from graphdoctor.dryrun.control.path_conditions import branch
from graphdoctor.dryrun.control.staging import is_one_tensor, is_symbolic
from graphdoctor.dryrun.core.arguments import Arguments, parameter_names
from graphdoctor.dryrun.core.definitions import underlying
from graphdoctor.dryrun.core.escape_analysis import forget_given, mark_escaped
from graphdoctor.dryrun.core.machine import Machine, calls, expression, hand_over
from graphdoctor.dryrun.core.scopes import holder_of
from graphdoctor.dryrun.libraries.registry import call_library, call_library_object, call_method
from graphdoctor.dryrun.staleness.allocation import is_few_key
from graphdoctor.dryrun.staleness.captured_state import note_remembered
from graphdoctor.dryrun.tracing.cache_keys import is_exact, key_of
from graphdoctor.dryrun.tracing.initial_values import note_chosen
from graphdoctor.dryrun.values import (
    UNKNOWN,
    Alternatives,
    BoundMethod,
    Class,
    Constant,
    Descriptor,
    Dictionary,
    Function,
    Generator,
    GraphFunction,
    Instance,
    Library,
    LibraryObject,
    Memoized,
    Method,
    Partial,
    Sequence,
    Tensor,
    TypeOf,
    Union,
    Unknown,
    Value,
)
from graphdoctor.dryrun.values.iteration import element, items_of, iterated
from graphdoctor.dryrun.values.joining import join_all
from graphdoctor.dryrun.values.terms import MOST_FEW
from graphdoctor.source.nodes import walk


def note_temporary(machine: Machine, callee: Value, node: ast.Call) -> None:
    """Write down that `Model().step(x)` reads something of an object that is gone by then."""
    while isinstance(callee, Partial):
        callee = callee.function  # it keeps the method, and the method does not keep the object
    if not isinstance(callee, BoundMethod) or not isinstance(callee.function, GraphFunction):
        return
    read = node.func if isinstance(node.func, ast.Attribute) else callee.origin.node
    made, owner = read.value if isinstance(read, ast.Attribute) else None, callee.receiver
    if not isinstance(made, ast.Call) or not isinstance(owner, Instance):
        return
    if owner.origin.node is not made and not _is_made_by(machine, made, owner):
        return
    function = underlying(callee.function)
    if function is not None and _reads_itself(function) and not _may_be_kept(owner.cls):
        machine.log.applied("temporary", owner, made, method=function.name)


def _is_made_by(machine: Machine, call: ast.Call, owner: Instance) -> bool:
    """Whether a call gives a new object at once: a plain function that returns it as it makes it."""
    holder = holder_of(machine, call.func.id) if isinstance(call.func, ast.Name) else None
    function = holder.cells[call.func.id] if holder is not None else None  # type: ignore[attr-defined]
    if not isinstance(function, Function):
        return False
    if isinstance(function.node, ast.Lambda):
        return function.node.body is owner.origin.node
    returned = (node.value for node in walk(function.node) if isinstance(node, ast.Return))
    return any(value is owner.origin.node for value in returned)


def _reads_itself(function: Function) -> bool:
    first = function.node.args.args[0].arg if function.node.args.args else ""
    return any(
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == first
        for node in walk(function.node)
    )


def _may_be_kept(cls: Class) -> bool:
    """Whether a base that is unknown, or the constructor, may hand the object to somebody who keeps it."""
    if not all(isinstance(each, Class) or _keeps_nothing(each) for each in cls.ancestry):
        return True
    begin = underlying(cls.find("__init__"))
    if begin is None:
        return False
    first = begin.node.args.args[0].arg if begin.node.args.args else ""
    named = [n for n in walk(begin.node) if isinstance(n, ast.Name) and n.id == first]
    through = [n.value for n in walk(begin.node) if isinstance(n, ast.Attribute)]
    return any(not any(name is holder for holder in through) for name in named)


def _keeps_nothing(base: Value) -> bool:
    """Run on 2.21: a `tf.Module` is gone as any object is; a layer of Keras' is kept by its own parts."""
    return isinstance(base, Library) and base.name == "tensorflow.Module"


NOT_COUNTED: Final = frozenset(
    (Library, LibraryObject, Method, Class, Unknown)
)  # it is unknown what they take
# Methods that only read what they are given, whoever has them: dicts, lists, loggers, files.
READING: Final = frozenset(
    ("update", "extend", "get", "info", "debug", "warning", "error", "write", "writerow", "dump", "format")
)


@expression(ast.Call)
def evaluate_call(machine: Machine, node: ast.Call) -> Value:
    callee = machine.evaluate(node.func)
    arguments = evaluate_arguments(machine, node)
    activation = machine.activations[-1]
    around, activation.node = activation.node, node
    kind = callee.__class__
    if kind is BoundMethod or kind is Partial:
        note_temporary(machine, callee, node)
    if kind not in NOT_COUNTED and lacks_arguments(callee, arguments):
        raise Raised(UNKNOWN)  # TypeError, before anything of it runs
    if arguments.keywords and kind not in NOT_COUNTED and has_unknown_option(callee, arguments):
        machine.end()
    try:
        return machine.call(callee, arguments, node)
    finally:
        activation.node = around


def lacks_arguments(callee: Value, arguments: Arguments) -> bool:
    """Whether a call, as it is written, surely has too few or too many arguments."""
    if isinstance(callee, Instance) and callee.cls.derives("keras.") and callee.cls.find("__call__") is None:
        callee = BoundMethod(callee.cls.find("call") or UNKNOWN, callee)
    function = _counted(callee, arguments)
    if function is None:
        return False
    given = len(arguments.positional) + isinstance(callee, BoundMethod)
    names = parameter_names(function)
    if given > len(names) and function.node.args.vararg is None:
        return True
    needed = len(names) - len(function.defaults)
    return given < needed and any(name not in arguments.keywords for name in names[given:needed])


def has_unknown_option(callee: Value, arguments: Arguments) -> bool:
    """Whether a call gives something by a name that the function surely does not take."""
    function = _counted(callee, arguments)
    if function is None or function.node.args.kwarg is not None:
        return False
    taken = {*parameter_names(function), *(each.arg for each in function.node.args.kwonlyargs)}
    return not taken.issuperset(arguments.keywords)


def _counted(callee: Value, arguments: Arguments) -> Function | None:
    """The function of the project that a call runs, where it is known what both sides give and take."""
    function = callee.function if isinstance(callee, BoundMethod) else callee
    if isinstance(function, GraphFunction):
        function = function.function
    if not isinstance(function, Function) or arguments.loose or "__decorated__" in function.cells:
        return None
    return function


def evaluate_arguments(machine: Machine, node: ast.Call) -> Arguments:
    """The arguments of a call, stars spread out where they are known."""
    arguments = Arguments()
    positional, nodes = arguments.positional, arguments.nodes
    for argument in node.args:
        if argument.__class__ is ast.Starred:
            value = iterated(machine, machine.evaluate(argument.value), argument)
            _spread(machine, arguments, value, argument)
        elif arguments.loose:
            machine.evaluate(argument)  # after an unknown star its place is not known either
        else:
            nodes[len(positional)] = argument
            positional.append(machine.evaluate(argument))
    for keyword in node.keywords:
        value = machine.evaluate(keyword.value)
        if keyword.arg is not None:
            arguments.keywords[keyword.arg] = value
            nodes[keyword.arg] = keyword.value
        elif isinstance(value, Dictionary):
            for key, item in value.entries.items():
                doubtful = key in value.perhaps and isinstance(item, Constant)  # else the parameter's default
                arguments.keywords[str(key)] = UNKNOWN if doubtful else item
            arguments.nodes.update(value.sources)
            arguments.loose = arguments.loose or not value.complete
        else:
            arguments.loose = True
    return arguments


def _spread(machine: Machine, arguments: Arguments, value: Value, node: ast.Starred) -> None:
    if isinstance(value, Generator):
        from graphdoctor.dryrun.control.generators import all_yields

        value = all_yields(machine, value, node)
    items = items_of(machine, value)
    if is_one_tensor(machine, value):
        machine.log.use("unpack", node.value, value)
    if items is None:
        alone = not arguments.positional and not arguments.loose
        arguments.rows = value if alone and isinstance(value, Sequence) else None
        arguments.loose = True
        element(machine, value, node)
        return
    arguments.rows = None
    sources = value.sources if isinstance(value, Sequence) else {}
    for position, item in enumerate(items):
        arguments.nodes[len(arguments.positional)] = sources.get(position, node)
        arguments.positional.append(item)


@calls(Unknown, TypeOf)
def call_unknown(machine: Machine, callee: Unknown, arguments: Arguments, node: ast.AST) -> Value:
    """It is unknown what is called; that a model is set to run eagerly can be seen all the same."""
    if machine.graph is not None:
        machine.graph.root.content = None
        machine.graph.root.empty = False
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Call) and node.func.args:
        _forget_receiver(machine, node.func)
    method = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
    if method == "compile" and "run_eagerly" in arguments.keywords:
        eagerly = arguments.keywords["run_eagerly"]
        known = eagerly.value if isinstance(eagerly, Constant) else None
        machine.log.applied("compile", None, node, eagerly=str(known))
    elif method == "compile" and "loss" in arguments.keywords:
        from graphdoctor.dryrun.libraries.keras.functional_models import assume_trained

        assume_trained(machine, arguments, node)
    if method not in READING:
        forget_given(machine.heap, arguments)
    return hand_over(machine, arguments)


def _forget_receiver(machine: Machine, called: ast.Call) -> None:
    """`getattr(net, name)()`: whichever method that is, it may set what the object's methods set."""
    if isinstance(called.func, ast.Name) and called.func.id == "getattr":
        receiver = machine.evaluate(called.args[0]) if isinstance(called.args[0], ast.Name) else None
        for name in [*receiver.cls.cells] if isinstance(receiver, Instance) else ():
            method = receiver.cls.find(name)  # type: ignore[union-attr]
            if isinstance(method, Function) and not name.startswith("__"):
                mark_escaped(machine.heap, BoundMethod(method, receiver))  # type: ignore[arg-type]


@calls(Union, Alternatives)
def call_choice(machine: Machine, callee: Union, arguments: Arguments, node: ast.AST) -> Value:
    """Each of several values is called; one of those that a loop has made alike, and that for certain."""
    several = machine.equivalents.without(callee.alternatives)
    if len(several) == 1:
        return machine.call(several[0], arguments, node)
    note_chosen(machine, several)
    results: list[Value] = []

    def way(each: Value) -> Callable[[], Flow]:
        def run() -> Flow:
            results.append(machine.call(each, arguments, node))
            return NEXT

        return run

    ways = [way(each) for each in several if not isinstance(each, Constant)]
    kept = any(isinstance(each, GraphFunction) for each in several)  # by a cache, say
    chosen = all(map(_stands_outside, several))
    branch(machine, ways, unknown=not isinstance(callee, Alternatives), doubtful=kept, chosen=chosen)
    return join_all(results)


def _stands_outside(value: Value) -> bool:
    """Whether a value was there before any graph: which of several it is, a run has chosen, and no tensor."""
    if isinstance(value, BoundMethod):
        return _stands_outside(value.receiver)
    if isinstance(value, Function):
        return value.scope.graph is None
    if isinstance(value, (Instance, LibraryObject)):
        return value.origin.graph is None
    return isinstance(value, (Constant, Library, Class))


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
    if isinstance(callee.function, Function):  # what is given by name has no other value: we know too many
        names = parameter_names(callee.function)
        bound = [position for position, name in enumerate(names) if name in callee.keywords]
        del together.positional[min(bound, default=len(together.positional)) :]
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
    start, outlived_loops = len(machine.log.events), machine.outlived_loops
    if callee.room >= MOST_FEW and all(is_few_key(machine, each) for each in given):
        machine.outlived_loops = len(machine.loops)
    try:
        result = machine.call(callee.function, arguments, node)
    finally:
        machine.outlived_loops = outlived_loops
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
    from graphdoctor.dryrun.core.definitions import instantiate

    if machine.budget_exhausted:
        return hand_over(machine, arguments)
    maker = callee.find("__init__")
    if maker is not None and not callee.is_replaced:
        own = BoundMethod(maker, callee)
        if lacks_arguments(own, arguments) or has_unknown_option(own, arguments):
            machine.end()
    return instantiate(machine, callee, arguments, node)


@calls(Instance)
def call_instance(machine: Machine, callee: Instance, arguments: Arguments, node: ast.AST) -> Value:
    from graphdoctor.dryrun.core.definitions import call_object

    return call_object(machine, callee, arguments, node)


@calls(GraphFunction)
def call_graph_function(
    machine: Machine, callee: GraphFunction, arguments: Arguments, node: ast.AST
) -> Value:
    from graphdoctor.dryrun.tracing.graph_function_calls import call_traced

    if machine.budget_exhausted:
        return hand_over(machine, arguments)
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
