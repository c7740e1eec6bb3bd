"""Optimizers: what they are given, when they make their variables, and for whom."""

import ast

from graphdoctor.dryrun.control.conditions import truth
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.gradients.missing_gradients import MINIMIZE, Question, explain
from graphdoctor.dryrun.gradients.weights import holders_of
from graphdoctor.dryrun.libraries.registry import object_methods
from graphdoctor.dryrun.libraries.tensorflow.functions import note_variable
from graphdoctor.dryrun.libraries.tensorflow.tapes import enter_library
from graphdoctor.dryrun.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    BoundMethod,
    Constant,
    Function,
    Instance,
    LibraryObject,
    Opaque,
    Sequence,
    Tape,
    Tensor,
    Union,
    Value,
    Variable,
    Variables,
)
from graphdoctor.dryrun.values.iteration import element, items_of
from graphdoctor.recording.format import Source

ASKING = ("gradient", "jacobian", "batch_jacobian")
MAKING_MORE = (1, "momentum", "use_ema", "gradient_accumulation_steps")  # arguments of SGD
APPLYING = ("apply", "apply_gradients", "minimize")


@object_methods("optimizer")
def optimizer_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name in APPLYING:
        ask_schedule(machine, receiver, node)
    if name == "apply_gradients":
        shown = arguments.node(0, "grads_and_vars", node)
        _apply_pairs(machine, receiver, arguments.get(0, "grads_and_vars"), shown, node)
        return UNKNOWN  # an operation, a tensor or a variable: each Keras gives something else
    if name == "apply":
        gradients, variables = arguments.get(0, "grads"), arguments.get(1, "trainable_variables")
        _note_none(machine, list(items_of(machine, gradients) or ()), "apply", node)
        _use(machine, receiver, variables, node)
        return NONE
    if name == "minimize":
        return _minimize(machine, receiver, arguments, node)
    if name == "build":
        variables = arguments.get(0, "var_list")
        _note_early(machine, variables, "optimizer.build", node)
        machine.heap.put(receiver.cells, "__for__", _owners(variables))
        machine.heap.put(receiver.cells, "__built__", TRUE)
        return NONE
    return UNKNOWN


def _apply_pairs(
    machine: Machine, receiver: LibraryObject, pairs: Value, shown: ast.AST, node: ast.AST
) -> None:
    """`apply_gradients`: pairs of a gradient and a variable, in this order."""
    first, second = _pair(element(machine, pairs, node))
    if note_swapped(machine, receiver, pairs, shown):
        second = first
    rows = [_pair(each) for each in items_of(machine, pairs) or ()]
    _note_none(machine, [gradient for gradient, _ in rows], "apply_gradients", node)
    variables = [variable for _, variable in rows] or [second]
    _use(machine, receiver, Sequence("list", tuple(variables), machine.origin(node)), node)


def note_swapped(machine: Machine, receiver: LibraryObject | None, pairs: Value, shown: ast.AST) -> bool:
    """Whether the gradients stand where the variables belong; then it is written down."""
    first, second = _pair(element(machine, pairs, shown))
    swapped = isinstance(first, Variable) and isinstance(second, Tensor)
    swapped = swapped or (_is_gradient(second) and not (isinstance(first, Tensor) or _is_gradient(first)))
    if swapped:
        machine.log.applied("swapped gradients", receiver, shown)
    return swapped


def _pair(value: Value) -> tuple[Value, Value]:
    if isinstance(value, Sequence) and value.items is not None and len(value.items) == 2:
        return value.items[0], value.items[1]
    return UNKNOWN, UNKNOWN


def _is_gradient(value: Value) -> bool:
    """Whether a value is what a tape answered, as it is."""
    if isinstance(value, Tensor):
        asked = value.origin.node
        return isinstance(asked, ast.Call) and getattr(asked.func, "attr", "") in ASKING
    return isinstance(value, Opaque) and value.gradient


def _note_none(machine: Machine, gradients: list[Value], method: str, node: ast.AST) -> None:
    """An optimizer is given None that no tape answered."""
    missing = [
        Source(index=index, variable=True)
        for index, value in enumerate(gradients)
        if isinstance(value, Constant) and value.value is None
    ]
    if missing:
        machine.log.gradient(node, "given", sources=tuple(missing), asked=len(gradients), method=method)


def _note_early(machine: Machine, variables: Value, method: str, node: ast.AST) -> None:
    """An optimizer is given the variables of a model that has none yet."""
    if isinstance(variables, Variables) and variables.early:
        broken = machine.log.place_of(variables.origin)
        machine.log.gradient(node, "no-sources", method=method, broken=broken)


def _minimize(machine: Machine, receiver: LibraryObject, arguments: Arguments, node: ast.AST) -> Value:
    """`minimize(lambda: …, variables)`: a tape of the optimizer's own around the function."""
    loss, variables = arguments.get(0, "loss"), arguments.get(1, "var_list")
    if isinstance(loss, (Function, BoundMethod)):
        tape = Tape(machine.origin(node), False, True)
        machine.opened.add(tape.number)
        _, leave = enter_library(machine, tape, node)
        try:
            target = machine.call(loss, Arguments(), node)
        finally:
            leave()
        shown = arguments.node(1, "var_list", node)
        explain(machine, Question(tape, MINIMIZE, target, variables, shown, node))
    _use(machine, receiver, variables, node)
    return NONE


def note_training(
    machine: Machine, optimizer: object, model: LibraryObject | Instance, node: ast.AST
) -> None:
    """`fit` gives the variables of its model to the optimizer that the model was compiled with."""
    if isinstance(optimizer, LibraryObject) and optimizer.kind == "optimizer":
        _use(machine, optimizer, Variables(model, "trainable_variables", False, machine.origin(node)), node)


def _use(machine: Machine, receiver: LibraryObject, variables: Value, node: ast.AST) -> None:
    """The first use of an optimizer makes its variables, for the variables that it is given."""
    owners = _owners(variables)
    machine.log.applied("gradients", receiver, node, on=tuple(sorted(owners or ())))
    known = receiver.cells.get("__for__")
    if known and owners and not owners & known and machine.module.keras == 3:
        machine.log.applied("other variables", receiver, node)
    if "__built__" in receiver.cells:
        return
    machine.heap.put(receiver.cells, "__for__", owners)
    machine.heap.put(receiver.cells, "__built__", TRUE)
    if machine.graph is not None and not _makes_none(receiver, machine.module.keras):
        note_variable(machine, receiver, node, "optimizer")


def _makes_none(optimizer: LibraryObject, keras: int | None) -> bool:
    """Whether it has all its variables from the beginning: plain SGD of Keras 3 (run on 2.21)."""
    asked = [optimizer.arguments.get(name, FALSE) for name in MAKING_MORE]
    return optimizer.name.endswith(".SGD") and keras != 2 and all(truth(each) is False for each in asked)


def _owners(variables: Value, depth: int = 0) -> frozenset[int] | None:
    """The numbers of the variables, or of all that holds them; None if unknown."""
    if isinstance(variables, Variables):
        return holders_of(variables.of).numbers
    if isinstance(variables, Variable):
        return frozenset([variables.origin.number])
    several = variables.alternatives if isinstance(variables, Union) else None
    if isinstance(variables, Sequence):
        several = variables.items
    if several and depth < 3:
        found = [_owners(item, depth + 1) for item in several]
        return None if None in found else frozenset().union(*(each for each in found if each))
    return None


def ask_schedule(machine: Machine, optimizer: object, node: ast.AST) -> None:
    """Call the schedule that an optimizer was made with."""
    from graphdoctor.dryrun.libraries.keras.calls import in_keras

    if not isinstance(optimizer, LibraryObject):
        return
    rate = optimizer.arguments.get(0, optimizer.arguments.get("learning_rate"))
    if isinstance(rate, Instance) and rate.cls.derives("keras.optimizers.schedules."):
        method = machine.attribute(rate, "__call__", node)
        in_keras(machine, rate, method, Arguments([Tensor("int64", (), machine.origin(node))]), node)
