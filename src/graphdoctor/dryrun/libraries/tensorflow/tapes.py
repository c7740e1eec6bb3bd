"""`tf.GradientTape`: what it watches, and what it answers."""

import ast
from collections.abc import Callable

from graphdoctor.dryrun.control.conditions import truth
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.gradients.missing_gradients import Question, explain
from graphdoctor.dryrun.gradients.weights import holders_of
from graphdoctor.dryrun.libraries.keras.functional_models import refused
from graphdoctor.dryrun.libraries.registry import Call, attributes, function, methods
from graphdoctor.dryrun.tracing.operations import carriers, follow, loss_here, operate
from graphdoctor.dryrun.values import (
    NONE,
    UNKNOWN,
    Constant,
    Given,
    LibraryObject,
    Method,
    Opaque,
    Sequence,
    Shape,
    Tape,
    Tensor,
    Unknown,
    Value,
    Variable,
    Variables,
)
from graphdoctor.dryrun.values.iteration import is_plain_module
from graphdoctor.dryrun.values.structures import rebuilt

ASKING = ("gradient", "jacobian", "batch_jacobian")


@function("tensorflow.GradientTape")
def gradient_tape(call: Call) -> Value:
    persistent = truth(call.get(0, "persistent", Constant(False)))
    watches = truth(call.get(1, "watch_accessed_variables", Constant(True)))
    tape = Tape(call.origin, persistent, watches is not False)
    options = {"persistent": str(persistent), "kept": str(_is_kept(call))}
    call.machine.opened.add(tape.number)
    call.machine.log.made("tape", tape, call.node, options=options)
    return tape


def _is_kept(call: Call) -> bool:
    """Whether a name still holds the tape that was made here the time before."""
    return any(
        isinstance(value, Tape) and value.origin.node is call.node and value.persistent is True
        for value in call.machine.scope.cells.values()
    )


@attributes(Tape)
def tape_attribute(machine: Machine, holder: Tape, name: str, node: ast.AST) -> Value:
    return Method(holder, name)


@methods(Tape)
def tape_method(machine: Machine, receiver: Tape, name: str, arguments: Arguments, node: ast.AST) -> Value:
    if name == "watch":
        _watch(machine, receiver, arguments.get(0, "tensor"), node)
        return NONE
    if name in ASKING:
        target = arguments.get(0, "target")
        sources = arguments.get(1, "sources" if name != "batch_jacobian" else "source")
        return ask(machine, receiver, name, target, sources, arguments, node)
    if name == "stop_recording":
        return LibraryObject(
            "stop recording", "tape.stop_recording", machine.origin(node), {"tape": receiver}
        )
    if name == "reset":
        machine.heap.put(receiver.cells, "used", ())
    if name == "__enter__":
        open_tape(machine, receiver)
        return receiver
    if name == "watched_variables":
        return UNKNOWN
    if name == "__exit__":
        close_tape(machine, receiver)
    return NONE


def _watch(machine: Machine, tape: Tape, value: Value, node: ast.AST) -> None:
    here = loss_here(machine, "late", "", node)
    for part in carriers(value):
        if isinstance(part, Tensor):
            part.watched = part.watched | {tape.number}
            tape.watched.setdefault(part.number, here)
            if part.paths and len(part.paths) == 1:
                copied = loss_here(machine, "late", "", node, "copy")
                tape.copied.update(dict.fromkeys(part.paths, copied))
        elif isinstance(part, Variables | Variable):
            holder = part.of if isinstance(part, Variables) else part.cells.get("of", part)
            for number in holders_of(holder).numbers:
                tape.watched.setdefault(number, here)
        else:
            tape.loose = True
            if isinstance(part, Given):
                part.watched = part.watched | {tape.number}


def ask(
    machine: Machine,
    tape: Tape,
    method: str,
    target: Value,
    sources: Value,
    arguments: Arguments,
    node: ast.AST,
) -> Value:
    """The gradients; what is None is written down with its reason."""
    machine.log.answers.asked(machine, tape, target)
    inside = _note_use(machine, tape, arguments.node(0, "target", node), node)
    shown = arguments.node(1, "source" if method == "batch_jacobian" else "sources", node)
    if refused(machine, sources, shown, f"tape.{method}"):
        return UNKNOWN
    lost: set[int] = set()
    if not arguments.has(None, "unconnected_gradients"):
        lost = explain(machine, Question(tape, method, target, sources, shown, node))
    computed_from = [target] if inside is None else [target, inside]
    return _gradients(machine, computed_from, sources, lost, node)


def _note_use(machine: Machine, tape: Tape, target: ast.AST, node: ast.AST) -> Value | None:
    """Write down how the tape is used; what stands for its answer, where it records that as well."""
    used: tuple[ast.AST, ...] = tape.cells["used"]
    if used and tape.persistent is False:
        opened = machine.log.place_of(tape.origin)
        machine.log.applied("gradient again", tape, node, opened=str(opened.line) if opened else "")
    machine.heap.put(tape.cells, "used", (*used, node))
    if not tape.cells["open"] or tape in machine.paused or _was_there_before(machine, tape, target):
        return None
    position = machine.log.applied("gradient inside", tape, node, persistent=str(tape.persistent))
    return machine.log.answers.recorded(tape, position)


def _was_there_before(machine: Machine, tape: Tape, target: ast.AST) -> bool:
    """Whether a name has its value from before the tape was opened here: nothing of it is recorded."""
    opened, bound = tape.origin.node, machine.activation.bound
    here = any(
        item.context_expr is opened
        for statement in bound.values()
        if isinstance(statement, ast.With)
        for item in statement.items
    )
    if not here or opened is None or not isinstance(target, ast.Name):
        return False
    return target.id not in bound or bound[target.id].lineno < opened.lineno  # type: ignore[attr-defined]


def _gradients(machine: Machine, values: list[Value], sources: Value, lost: set[int], node: ast.AST) -> Value:
    """What the tape gives back: the structure of the sources; of those that are `lost`, perhaps None."""

    def gradient(source: Value) -> Value:
        if isinstance(source, (Tensor, Variable)):
            return _answer(machine, values, source.dtype, source.shape, id(source) in lost, node)
        if isinstance(source, Variables):
            of_module = is_plain_module(source.of)  # whose variables are a tuple, those of Keras a list
            typical = _answer(machine, values, None if of_module else "float32", None, True, node)
            return Sequence("tuple" if of_module else "list", None, machine.origin(node), typical)
        if isinstance(source, Unknown):
            return Opaque(follow(machine, values, "gradient", node, None) or {}, gradient=True)
        return UNKNOWN

    return rebuilt(sources, gradient, machine.origin(node))


def _answer(
    machine: Machine, values: list[Value], dtype: str | None, shape: Shape, lost: bool, node: ast.AST
) -> Value:
    """The gradient of one source, or what is true of those of many."""
    made = operate(machine, "gradient", values, node, dtype, shape, tensor=True)
    if isinstance(made, Tensor):
        made.answer = lost
    return made


def enter_library(
    machine: Machine, manager: Tape | LibraryObject, node: ast.AST
) -> tuple[Value, Callable[[], None]]:
    """What `with` gives, and what happens at its end."""
    if isinstance(manager, Tape):
        open_tape(machine, manager)
        return manager, lambda: close_tape(machine, manager)
    if manager.kind == "stop recording":
        tape = manager.arguments["tape"]
        assert isinstance(tape, Tape)
        machine.paused.append(tape)
        return manager, lambda: machine.paused.remove(tape)
    if manager.kind == "temporary directory":
        return manager.cells["name"], lambda: None
    if manager.kind == "init scope":
        machine.enter_graph(None)
        return manager, machine.leave_graph
    return manager, lambda: None


def open_tape(machine: Machine, tape: Tape) -> None:
    """A tape records from now on, also what it is opened for again."""
    machine.heap.put(tape.cells, "open", True)
    machine.tapes = [*machine.tapes, tape]


def close_tape(machine: Machine, tape: Tape) -> None:
    """A tape records no longer."""
    machine.tapes = [each for each in machine.tapes if each is not tape]
    machine.heap.put(tape.cells, "open", False)
    machine.heap.put(tape.cells, "closed", True)
