"""Where a dry run starts: every module as a program, then every function that nothing called."""

from __future__ import annotations

import ast
import contextlib
import sys
from collections.abc import Callable, Iterable

import graphdoctor.dryrun.calling
import graphdoctor.dryrun.conditions
import graphdoctor.dryrun.definitions
import graphdoctor.dryrun.expressions
import graphdoctor.dryrun.importing
import graphdoctor.dryrun.looping
import graphdoctor.dryrun.models.all
import graphdoctor.dryrun.statements  # noqa: F401
from graphdoctor.dryrun.arguments import Arguments, parameter_names
from graphdoctor.dryrun.context import Activation, SourceModule
from graphdoctor.dryrun.flow import OutOfBudget, Raised
from graphdoctor.dryrun.log import Log
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.program import Program
from graphdoctor.dryrun.values import (
    UNKNOWN,
    BoundMethod,
    Class,
    Descriptor,
    Function,
    GraphFunction,
    Instance,
    Memoized,
    Tensor,
    Value,
)
from graphdoctor.recording.format import SHOWN
from graphdoctor.source.project import Project

MODULE_STEPS = 60_000
ENTRY_STEPS = 12_000
DEEPEST_PYTHON = 20_000


def dry_run(project: Project, paths: Iterable[str]) -> Log:
    """What the programs and functions in these files would do, written down."""
    log = Log()
    program = Program(project)
    machine = Machine(program, log)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST_PYTHON))
    try:
        modules = [module for path in paths if (module := program.source(path)) is not None]
        for module in modules:
            machine.is_program = True
            _start(machine, MODULE_STEPS, _loading(machine, module), keep=True)
        for module, block in list(program.main_blocks):
            _start(machine, MODULE_STEPS, _main_block(machine, module, block))
        _run_uncalled(machine, {module.path for module in modules})
        log.finish()
    finally:
        sys.setrecursionlimit(limit)
    return log


def _start(machine: Machine, steps: int, action: Callable[[], None], keep: bool = False) -> None:
    """Run an entry from the heap after imports, within its budget; what it did is undone unless kept."""
    machine.entry += 1
    machine.steps, machine.limit = 0, steps
    machine.activations, machine.loops, machine.graphs, machine.tapes = [], [], [], []
    machine.may, machine.eager_switch = 0, False
    machine.guards, machine.reading = [], None

    def guarded() -> None:
        try:
            action()
        except OutOfBudget:
            where = machine.activations[0].module.path if machine.activations else ""
            machine.log.gave_up(where, "budget")
        except (Raised, RecursionError):
            pass

    if keep:
        guarded()
    else:
        machine.heap.undone(guarded)


def _loading(machine: Machine, module: SourceModule) -> Callable[[], None]:
    def load() -> None:
        machine.program.load(machine, module)

    return load


def _main_block(machine: Machine, module: SourceModule, block: ast.If) -> Callable[[], None]:
    def run() -> None:
        machine.activations.append(Activation(None, module.scope, module, 0))
        machine.execute(block.body)

    return run


def _run_uncalled(machine: Machine, paths: set[str]) -> None:
    machine.is_program = False
    done: set[ast.AST] = set()
    while True:
        waiting = [
            function
            for node, function in list(machine.program.functions.items())
            if node not in machine.called and node not in done and function.module.path in paths
        ]
        if not waiting:
            return
        for function in waiting:
            done.add(function.node)
            if function.node not in machine.called:
                _start(machine, ENTRY_STEPS, _entry(machine, function))


def _entry(machine: Machine, function: Function) -> Callable[[], None]:
    """Call a function that nothing calls: with what its parameters may be, on an object of its class."""

    def run() -> None:
        module = function.module
        machine.activations.append(Activation(None, module.scope, module, 0))
        callee, positional = _callee(machine, function)
        if callee is None:
            return
        given = Arguments(positional)
        if isinstance(callee, GraphFunction):
            machine.evidence = SHOWN
        machine.call(callee, given, function.node)

    return run


def _callee(machine: Machine, function: Function) -> tuple[Value | None, list[Value]]:
    names = parameter_names(function)
    owner = function.owner
    if owner is None:
        return _decorated(function), [_parameter(function, name) for name in names]
    receiver = _receiver(machine, owner, function)
    if receiver is None or function.node in machine.called:
        return None, []
    found = owner.cells.get(function.name)
    if isinstance(found, Descriptor) and found.kind == "staticmethod":
        return found.function, [_parameter(function, name) for name in names]
    values = [_parameter(function, name) for name in names[1:]]
    if isinstance(found, GraphFunction):
        return BoundMethod(found, receiver), values
    return BoundMethod(function, receiver), values


def _decorated(function: Function) -> Value:
    """What the module has under the function's name, if that wraps it."""
    from graphdoctor.dryrun.definitions import underlying

    found = function.scope.cells.get(function.name)
    wraps = isinstance(found, GraphFunction | Memoized) and underlying(found) is function
    return found if wraps and isinstance(found, Value) else function


def _receiver(machine: Machine, owner: Class, function: Function) -> Instance | None:
    """An object of a class: one that the program made, else one made with unknown arguments."""
    known = machine.program.instances.get(owner.node)
    if known is not None:
        return known
    made = Instance(owner, machine.origin(owner.node))
    made.unknown_start = True
    init = owner.find("__init__")
    if isinstance(init, Function) and init is not function:
        count = len(parameter_names(init)) - 1
        with contextlib.suppress(Raised):
            machine.call(BoundMethod(init, made), Arguments([UNKNOWN] * max(0, count)), init.node)
    return made


def _parameter(function: Function, name: str) -> Value:
    """What a parameter of an entry is: its annotation may say so."""
    for argument in (*function.node.args.posonlyargs, *function.node.args.args):
        if argument.arg == name and argument.annotation is not None:
            text = ast.unparse(argument.annotation)
            if text in ("tf.Tensor", "tensorflow.Tensor"):
                return Tensor(None, None)
    return UNKNOWN
