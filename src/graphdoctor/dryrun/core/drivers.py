"""Drivers: a class whose methods nothing calls is used as those who import it use it.

The object is made once; then its methods are called in a loop: those that can reach a graph, and those that
write attributes which these read. So state that changes between two calls of a traced method is seen.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator, Set

from graphdoctor.dryrun.control.flow import NEXT, Flow, Raised
from graphdoctor.dryrun.control.loops import run_typical_iterations
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.context import Activation, LoopRun, SourceModule
from graphdoctor.dryrun.core.definitions import underlying
from graphdoctor.dryrun.core.escape_analysis import mark_escaped
from graphdoctor.dryrun.core.heap import forget_length
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import (
    NOTHING,
    UNKNOWN,
    Class,
    Descriptor,
    Function,
    GraphFunction,
    Instance,
    Sequence,
    Value,
    is_none,
)
from graphdoctor.source.nodes import walk
from graphdoctor.source.remembering import remembered

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


def driver(machine: Machine, cls: Class, methods: list[Function], callee_of: Callee) -> Callable[[], None]:
    """What calls the methods of an object in a loop, with unknown arguments."""

    def run() -> None:
        machine.activations.append(Activation(None, cls.module.scope, cls.module, 0))
        loop = LoopRun(cls.node, cls.module, None, machine.activation)
        loop.driver = True
        run_typical_iterations(machine, loop, None, None, None, call_each)

    def call_each() -> Flow:
        for method in methods:
            callee, values = callee_of(machine, method)
            if callee is not None:
                with contextlib.suppress(Raised):
                    mark_escaped(machine.heap, machine.call(callee, Arguments(values), method.node))
        return NEXT

    return run


def open_empty(machine: Machine, made: Instance) -> None:
    """What an object begins with empty or as None, its other methods or a derived class may have filled."""
    for name, value in list(made.cells.items()):
        if isinstance(value, Sequence) and value.items == () and value.kind == "list":
            forget_length(machine.heap, value, UNKNOWN, NOTHING)
        elif is_none(value) and any(name in _set_later(cls.node) for cls in _project_classes(made.cls)):
            machine.heap.put(made.cells, name, UNKNOWN)


def _project_classes(cls: Class) -> list[Class]:
    return [each for each in cls.ancestry if isinstance(each, Class)]


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
