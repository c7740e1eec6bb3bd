"""Where a dry run starts: a module as a program, its `__main__` block, every function that nothing called."""

import ast
import contextlib
import functools
from collections.abc import Callable

from graphdoctor.dryrun.control.flow import OutOfBudget, Raised
from graphdoctor.dryrun.core.arguments import Arguments, parameter_names
from graphdoctor.dryrun.core.context import Activation, SourceModule
from graphdoctor.dryrun.core.coverage import BUDGET, DEPTH, UNUSED
from graphdoctor.dryrun.core.definitions import underlying
from graphdoctor.dryrun.core.drivers import (
    drive,
    driven_classes,
    open_empty,
    run_alone,
    run_in_graph,
    runs_in_graph,
    untaken,
)
from graphdoctor.dryrun.core.escape_analysis import mark_escaped
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.core.program import MODULE_STEPS
from graphdoctor.dryrun.core.relevance import TRACED_BY_KERAS, relevant_functions
from graphdoctor.dryrun.libraries.keras.entry_methods import (
    is_called_by_keras,
    is_traced_by_users,
    run_as_traced,
    run_keras_method,
)
from graphdoctor.dryrun.values import (
    NOWHERE,
    UNKNOWN,
    BoundMethod,
    Class,
    Dataset,
    Descriptor,
    Function,
    Given,
    GraphFunction,
    Instance,
    Memoized,
    Origin,
    Tensor,
    Value,
)
from graphdoctor.dryrun.values.joining import python_type
from graphdoctor.source.nodes import spelled

ENTRY_STEPS = 8_000
RECEIVER_STEPS = 4_000
UNTAKEN_STEPS = 2_000
GRAPH_TEST_STEPS = 40_000

TENSORS = ("tf.Tensor", "tensorflow.Tensor")
DATASETS = ("tf.data.Dataset", "tensorflow.data.Dataset")


def start(
    machine: Machine,
    steps: int,
    action: Callable[[], object],
    entry: Function | None = None,
    module: SourceModule | None = None,
) -> None:
    """Run an entry, called from a module, within its budget; where it ends early, that is written down."""
    machine.program.go_on()
    machine.begin(steps)
    machine.entry += 1
    machine.assumed = entry is not None
    machine.eager_switch, machine.keras_dtype = machine.program.eager, machine.program.keras_dtype
    machine.graph_switch = machine.program.graphs
    if module is not None:
        machine.activations.append(Activation(None, module.scope, module, 0))
    why = ""
    try:
        action()
    except OutOfBudget:
        why = BUDGET
    except RecursionError:
        why = DEPTH
    except Raised:
        pass
    why = why or (BUDGET if machine.budget_exhausted else "")
    if why and entry is not None:
        machine.log.stopped[entry.node] = why
    elif why and machine.activations:
        machine.log.gave_up(machine.activations[0].module.path, why)


def run_module(machine: Machine, module: SourceModule) -> None:
    """Run a module as `python file.py` would, then each function of it that nothing called."""
    machine.is_program = True
    start(machine, MODULE_STEPS, lambda: machine.program.run(machine, module))
    machine.program.eager, machine.program.keras_dtype = machine.eager_switch, machine.keras_dtype
    machine.program.graphs = machine.graph_switch
    for owner, block in list(machine.program.main_blocks):
        if owner is module:
            machine.is_program = True
            _run_undone(machine, MODULE_STEPS, functools.partial(_main, machine, block), module)
    machine.is_program = False
    machine.program.keras_dtype = None  # whoever calls these may have set another one
    for made in _uncalled(machine, 0):
        run = functools.partial(_call_graph, machine, made)
        _run_undone(machine, ENTRY_STEPS, run, module, underlying(made.function))
    _run_uncalled(machine, module)
    _run_graph_tests(machine, module)
    for function, statement in list(untaken(machine, module)):
        run = functools.partial(_untaken_entry, machine, function, statement)
        _run_undone(machine, UNTAKEN_STEPS, run, function.module)


def _uncalled(machine: Machine, first: int) -> list[GraphFunction]:
    """The graph functions made since then that nothing called; a method waits for an object."""
    found = []
    for made in machine.log.graph_functions[first:]:
        inner = underlying(made.function)
        bound = inner is not None and (inner.owner is None or isinstance(made.function, BoundMethod))
        if inner is not None and bound and not made.calls and inner.node not in machine.called:
            found.append(made)
    return found


def _untaken_entry(machine: Machine, function: Function, statement: ast.stmt) -> None:
    """Make and call what a branch makes that no run takes; that another one would is assumed."""
    first = len(machine.log.graph_functions)
    with machine.assuming():
        run_alone(machine, function, statement)
        for made in _uncalled(machine, first):
            _call_graph(machine, made)


def _call_graph(machine: Machine, made: GraphFunction) -> None:
    """Call a graph function as whoever gets it may."""
    inner = underlying(made.function)
    if inner is not None and inner.node not in machine.called:
        names = parameter_names(inner)[isinstance(made.function, BoundMethod) :]
        machine.call(made, Arguments([_given(inner, name, graph=True) for name in names]), inner.node)


def _run_undone(
    machine: Machine,
    steps: int,
    action: Callable[[], object],
    module: SourceModule,
    entry: Function | None = None,
) -> None:
    """Run an entry from the state that all start from."""
    machine.heap.undone(lambda: start(machine, steps, action, entry, module))


def _main(machine: Machine, block: ast.If) -> None:
    first = len(machine.log.graph_functions)
    machine.execute(block.body)
    machine.is_program = False
    for made in _uncalled(machine, first):
        _call_graph(machine, made)


def _run_uncalled(machine: Machine, module: SourceModule) -> None:
    relevant = machine.log.relevant = relevant_functions(module.syntax.survey, machine.log.undecorated)
    done: set[ast.AST] = set()
    while True:
        waiting = [
            function
            for node, function in list(machine.program.functions.items())
            if node in relevant
            and node not in machine.called
            and node not in done
            and function.module is module
        ]
        if not waiting:
            break
        for function in sorted(waiting, key=_is_assumed):
            done.add(function.node)
            if function.node not in machine.called:
                _run_entry(machine, function)

    _run_inherited(machine, module)
    for cls, methods in driven_classes(machine, module, relevant):
        _prepare_receiver(machine, cls, methods[0])
        run = functools.partial(drive, machine, cls, methods, _callee)
        _run_undone(machine, ENTRY_STEPS * len(methods), run, module, methods[0])


def _run_graph_tests(machine: Machine, module: SourceModule) -> None:
    """Run once more what tests do in graphs, as far as the budget of a module goes."""
    left = GRAPH_TEST_STEPS
    for function in list(machine.program.functions.values()):
        if left > 0 and function.module is module and runs_in_graph(function):
            assert function.owner is not None
            _prepare_receiver(machine, function.owner, function)
            method = BoundMethod(function, machine.program.instances[function.owner.node])
            run = functools.partial(run_in_graph, machine, method, function)
            _run_undone(machine, ENTRY_STEPS, run, module)
            left -= machine.steps


def _run_inherited(machine: Machine, module: SourceModule) -> None:
    """Run what Keras calls on classes that have it from another class, and give it methods of their own."""
    for cls in list(machine.program.classes.values()):
        if cls.module is not module or machine.program.eager_keras:
            continue
        for name in sorted(TRACED_BY_KERAS):
            method = cls.find(name)
            if not isinstance(method, Function) or method.owner is cls:
                continue
            if is_called_by_keras(cls, name) and _has_uncalled(machine, cls):
                _run_on(machine, cls, method)


def _has_uncalled(machine: Machine, cls: Class) -> bool:
    """Whether a class replaces a method of a class of the project that nothing has called so far."""
    return any(
        isinstance(own, Function)
        and own.node not in machine.called
        and not name.startswith("__")
        and any(isinstance(each, Class) and name in each.cells for each in cls.ancestry[1:])
        for name, own in cls.cells.items()
    )


def _run_on(machine: Machine, cls: Class, method: Function) -> None:
    """Run a method that a class inherits, as Keras would."""
    if method.name == "call" and isinstance(cls.find("train_step"), Function):
        return  # that calls it, or nothing does
    _prepare_receiver(machine, cls, method)
    bound = BoundMethod(method, machine.program.instances[cls.node])
    run = functools.partial(run_keras_method, machine, bound, method, method.node)
    _run_undone(machine, ENTRY_STEPS, run, cls.module, method)


def _is_assumed(function: Function) -> bool:
    """Whether only Keras may call it: what the program itself shows comes first."""
    owner = function.owner
    return owner is not None and is_called_by_keras(owner, function.name)


def _run_entry(machine: Machine, function: Function) -> None:
    """Call a function that nothing calls: with what its parameters may be, on an object of its class."""
    if function.owner is not None:
        _prepare_receiver(machine, function.owner, function)
        if function.node in machine.called:
            return
    run = functools.partial(_call_uncalled, machine, function)
    _run_undone(machine, ENTRY_STEPS, run, function.module, function)


def _call_uncalled(machine: Machine, function: Function) -> None:
    callee, values = _callee(machine, function)
    if callee is None:
        return
    owner = function.owner
    keras = _is_assumed(function)
    own_step = owner.find("train_step") if owner is not None and function.name == "call" else None
    if keras and isinstance(own_step, Function):
        machine.log.stopped[function.node] = UNUSED  # that calls it, or nothing does
    elif keras and isinstance(callee, BoundMethod) and not machine.program.eager_keras:
        run_keras_method(machine, callee, function, function.node)
    else:
        first = len(machine.log.graph_functions)
        mark_escaped(machine.heap, machine.call(callee, Arguments(values), function.node))
        for made in _uncalled(machine, first):
            _call_graph(machine, made)
        if isinstance(callee, BoundMethod) and is_traced_by_users(function, callee.receiver):
            run_as_traced(machine, callee, function, values)


def _prepare_receiver(machine: Machine, owner: Class, function: Function) -> None:
    """Make an object of a class once, with unknown arguments, where the program makes none."""
    if owner.node in machine.program.instances:
        return
    made = Instance(owner, Origin(owner.module, owner.node, (), None))
    made.unknown_start = True
    machine.program.instances[owner.node] = made
    init = owner.find("__init__")
    if not isinstance(init, Function) or init is function:
        return

    def run() -> None:
        count = len(parameter_names(init)) - 1
        with contextlib.suppress(Raised):
            machine.call(BoundMethod(init, made), Arguments([UNKNOWN] * max(0, count)), init.node)
        open_empty(machine, made)

    start(machine, RECEIVER_STEPS, run, init, owner.module)


def _callee(machine: Machine, function: Function) -> tuple[Value | None, list[Value]]:
    names = parameter_names(function)
    owner = function.owner
    if owner is None:
        callee = _decorated(machine, function)
        graph = isinstance(callee, GraphFunction)
        return callee, [_given(function, name, graph) for name in names]
    receiver = machine.program.instances.get(owner.node)
    if receiver is None:
        return None, []
    found = owner.cells.get(function.name)
    if isinstance(found, Descriptor) and found.kind == "staticmethod":
        return found.function, [UNKNOWN for _ in names]
    graph = isinstance(found, GraphFunction)
    values: list[Value] = [_given(function, name, graph) for name in names[1:]]
    return BoundMethod(found if isinstance(found, GraphFunction) else function, receiver), values


def _decorated(machine: Machine, function: Function) -> Value:
    """What the module has under the function's name, if that wraps it, or the graph function made of it."""
    found = function.scope.cells.get(function.name)
    if isinstance(found, (GraphFunction, Memoized)) and underlying(found) is function:
        return found
    made = (each for each in reversed(machine.log.graph_functions) if underlying(each.function) is function)
    return next((each for each in made if function.scope.kind == "function"), function)


def _given(function: Function, name: str, graph: bool) -> Value:
    """What a parameter is of a function that nothing calls: a flag's default, or what its annotation says."""
    arguments = function.node.args
    positional = (*arguments.posonlyargs, *arguments.args)
    for position, argument in enumerate(positional):
        if argument.arg == name:
            default = position - len(positional) + len(function.defaults)
            if default >= 0 and python_type(function.defaults[default]) == "bool":
                return function.defaults[default]
            text = spelled(argument.annotation) if argument.annotation is not None else "dict"
            if text in TENSORS:
                return _annotated()
            if text in DATASETS:
                return Dataset(UNKNOWN, NOWHERE)
            container = any(word in text.lower() for word in ("dict", "list", "mapping"))
            return Given(name) if container and graph else UNKNOWN
    return UNKNOWN


def _annotated() -> Value:
    """A tensor, as far as an annotation says: people write `tf.Tensor` also for what is made of tensors."""
    tensor = Tensor(None, None)
    tensor.annotated = True
    return tensor
