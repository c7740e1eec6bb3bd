"""Drivers: what nothing calls is used as others would use it.

A class is made once; then its methods are called in a loop: those that can reach a graph, and those that
write attributes which these read. So state that changes between two calls of a traced method is seen. A
branch that no run takes is run by itself where it makes a graph function.
"""

import ast
import contextlib
from collections.abc import Callable, Iterator, Set

from graphdoctor.dryrun.control.flow import NEXT, Flow, OutOfBudget, Raised
from graphdoctor.dryrun.control.loops import run_typical_iterations
from graphdoctor.dryrun.core.arguments import Arguments, parameter_names
from graphdoctor.dryrun.core.context import Activation, LoopRun, Scope, SourceModule
from graphdoctor.dryrun.core.definitions import underlying
from graphdoctor.dryrun.core.escape_analysis import mark_escaped
from graphdoctor.dryrun.core.heap import forget_length
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.tracing.graph_function_calls import in_trace
from graphdoctor.dryrun.values import (
    FALSE,
    NOTHING,
    UNKNOWN,
    BoundMethod,
    Class,
    Descriptor,
    Function,
    GraphFunction,
    Instance,
    Sequence,
    Value,
    is_none,
)
from graphdoctor.recording.format import ASSUMED, SHOWN
from graphdoctor.source.nodes import walk
from graphdoctor.source.remembering import remembered

IN_GRAPHS = frozenset((
    "run_all_in_graph_and_eager_modes", "run_in_graph_and_eager_modes", "run_deprecated_v1", "run_v1_only",
    "deprecated_graph_mode_only", "test_graph_and_eager_modes", "test_graph_mode_only",
    "test_all_tf_execution_regimes", "run_all_in_graph_mode",
))  # fmt: skip


def runs_in_graph(function: Function) -> bool:
    """Whether a function is a test that a decorator of its own, or of its class, runs in a graph."""
    owner = function.owner
    if owner is None or not function.name.startswith("test"):
        return False
    decorators = [
        each for node in (function.node, owner.node) for each in getattr(node, "decorator_list", ())
    ]
    return any(_last_name(each) in IN_GRAPHS for each in decorators)


def _last_name(node: ast.expr) -> str:
    called = node.func if isinstance(node, ast.Call) else node
    return str(getattr(called, "attr", getattr(called, "id", "")))


def run_in_graph(machine: Machine, method: BoundMethod, function: Function) -> None:
    """Run a test in a graph that nobody converts."""
    traced = GraphFunction(method, {"autograph": FALSE}, machine.origin(function.node))
    values: list[Value] = [UNKNOWN] * (len(parameter_names(function)) - 1)

    def run() -> Value:
        assert machine.graph is not None
        machine.graph.tested = True
        return machine.call(method, Arguments(values), function.node)

    machine.evidence = ASSUMED
    try:
        in_trace(machine, traced, run, 0, True, function.node)
    finally:
        machine.evidence = SHOWN


MAKING = "function"


def untaken(machine: Machine, module: SourceModule) -> Iterator[tuple[Function, ast.stmt]]:
    """The statements of functions that were called which would make a graph function, and never ran."""
    made = {node for each in machine.log.graph_functions for node in (each.origin.node, _wrapped(each))}
    for node, words in module.syntax.survey.mentions.items():
        function = machine.program.functions.get(node)
        mentioned = MAKING in words.attributes or MAKING in words.names
        if mentioned and function is not None and function.module is module and node in machine.called:
            for statement, making in _making(function.node):
                if made.isdisjoint(making):
                    yield function, statement


def run_alone(machine: Machine, function: Function, statement: ast.stmt) -> None:
    """Run one statement of a function of whose names nothing is known."""
    scope = Scope(function.scope, function.module, "function", None)
    machine.activations.append(Activation(function, scope, function.module, 0))
    machine.execute([statement])
    machine.activations.pop()


def _wrapped(made: object) -> ast.AST | None:
    inner = underlying(made.function)  # type: ignore[attr-defined]
    return inner.node if inner is not None else None


def _making(node: ast.AST) -> Iterator[tuple[ast.stmt, set[ast.AST]]]:
    """The statements in a function's own body that make a graph function, with what shows that they ran."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, DEFINITIONS):
            if any(map(_names_it, child.decorator_list)):
                yield child, {child, *child.decorator_list}
        elif isinstance(child, (ast.Assign, ast.AnnAssign, ast.Expr, ast.Return)):
            calls = [each for each in walk(child) if isinstance(each, ast.Call) and _names_it(each.func)]
            if calls:
                yield child, {part for call in calls for part in (call, *call.args)}
        elif not isinstance(child, SCOPES):
            yield from _making(child)


def _names_it(node: ast.expr) -> bool:
    """`tf.function`, or a call of it."""
    called = node.func if isinstance(node, ast.Call) else node
    return getattr(called, "attr", getattr(called, "id", "")) == MAKING


STEPS = 500
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*DEFINITIONS, ast.Lambda, ast.ClassDef)


def define_rest(machine: Machine, function: Function, values: dict[str, Value]) -> None:
    """Define the functions that a body did not come to, so that each can be an entry of its own.

    Names that the body would have set before are unknown there.
    """
    if function.module is not machine.program.root or machine.graph is not None:
        return
    waiting = [node for node in _inner(function.node) if node not in machine.program.functions]
    if not waiting:
        return
    scope = Scope(function.scope, function.module, "function", None)
    scope.cells.update(values)
    limit, machine.limit = machine.limit, machine.steps + STEPS
    machine.activations.append(Activation(function, scope, function.module, len(machine.loops)))
    try:
        for node in waiting:
            with contextlib.suppress(OutOfBudget, Raised):
                machine.execute([node])
    finally:
        machine.activations.pop()
        machine.limit = limit


def _inner(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions that stand in the body itself, in their order."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, DEFINITIONS):
            yield child
        elif not isinstance(child, SCOPES):
            yield from _inner(child)


Callee = Callable[[Machine, Function], tuple[Value | None, list[Value]]]


def driven_classes(
    machine: Machine, module: SourceModule, relevant: Set[ast.AST]
) -> Iterator[tuple[Class, list[Function]]]:
    """The classes of a module with the methods to call, where a traced one may find changed state."""
    for cls in list(machine.program.classes.values()):
        if cls.module is module:
            methods = list(_public_methods(cls))
            graphs = [each for each, is_graph in methods if is_graph]
            reading = [each for each, _ in methods if each.node in relevant]
            read = frozenset[str]().union(*(_attributes(each.node)[0] for each in reading))
            writing = [
                each
                for each, is_graph in methods
                if not is_graph
                and each.node not in machine.called
                and not read.isdisjoint(_attributes(each.node)[1])
            ]
            if graphs and writing:
                yield cls, [*graphs, *writing]


def _public_methods(cls: Class) -> Iterator[tuple[Function, bool]]:
    """The methods that others may call, and whether each is a graph function."""
    for name, value in cls.cells.items():
        function = underlying(value) if isinstance(value, (Function, GraphFunction)) else None
        if function is not None and not isinstance(value, Descriptor) and not str(name).startswith("_"):
            yield function, isinstance(value, GraphFunction)


@remembered(8192)
def _attributes(node: ast.AST) -> tuple[frozenset[str], frozenset[str]]:
    """The attributes of its object that a method reads, and those that it writes."""
    parameters = node.args.args if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else []
    receiver = parameters[0].arg if parameters else ""
    read: set[str] = set()
    written: set[str] = set()
    for part in walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == receiver:
            (read if isinstance(part.ctx, ast.Load) else written).add(part.attr)
    return frozenset(read), frozenset(written)


def drive(machine: Machine, cls: Class, methods: list[Function], callee_of: Callee) -> None:
    """Call the methods of an object in a loop, with unknown arguments."""

    def call_each() -> Flow:
        for method in methods:
            callee, values = callee_of(machine, method)
            if callee is not None:
                with contextlib.suppress(Raised):
                    mark_escaped(machine.heap, machine.call(callee, Arguments(values), method.node))
        return NEXT

    loop = LoopRun(cls.node, cls.module, None, machine.activation)
    loop.driver = True
    run_typical_iterations(machine, loop, None, None, None, call_each)


def open_empty(machine: Machine, made: Instance) -> None:
    """What an object begins with empty or as None, its other methods or a derived class may have filled."""
    for name, value in list(made.cells.items()):
        if isinstance(value, Sequence) and value.items == () and value.kind == "list":
            forget_length(machine.heap, value, UNKNOWN, NOTHING)
        elif is_none(value) and any(
            name in _set_later(cls.node) for cls in made.cls.ancestry if isinstance(cls, Class)
        ):
            machine.heap.put(made.cells, name, UNKNOWN)


@remembered(4096)
def _set_later(cls: ast.AST) -> frozenset[str]:
    """The attributes that methods of a class set, but for `__init__`."""
    methods = cls.body if isinstance(cls, ast.ClassDef) else []
    return frozenset(
        node.attr
        for method in methods
        if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)) and method.name != "__init__"
        for node in walk(method)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    )
