"""Whose variables a model or layer holds, and which of them are trained."""

import ast
from typing import NamedTuple

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.staleness.captured_state import captured, note_write, type_name
from graphdoctor.dryrun.values import (
    TRUE,
    UNKNOWN,
    Array,
    Constant,
    Dictionary,
    Instance,
    LayerOf,
    LibraryObject,
    Sequence,
    Value,
    Variable,
    Variables,
    ages,
)
from graphdoctor.dryrun.values.joining import same
from graphdoctor.dryrun.values.structures import parts_of

DEEPEST = 6
SOME_LAYER = 0  # stands for an unknown one
OF_LAYERS = "layers[…].trainable"  # the cell of a model for layers that are unknown
HOLDING = ("layer", "model")
WITH_STATISTICS = ("BatchNormalization", "SpectralNormalization", "Normalization", "SyncBatchNormalization")


# Ready-made models without a batch normalisation.
ALL_TRAINED = ("VGG16", "VGG19", "ConvNeXtTiny", "ConvNeXtSmall", "ConvNeXtBase", "ConvNeXtLarge",
               "ConvNeXtXLarge")  # fmt: skip


def _is_untrained(value: LibraryObject) -> bool:
    """Whether a layer or model of Keras' has variables that no tape watches by itself.

    Run on 2.21: `trainable = False` of a layer takes its variables off a list, and off no tape.
    """
    name = value.name.rpartition(".")[2]
    ready = value.name.startswith("keras.applications.") and name not in ALL_TRAINED
    return name in WITH_STATISTICS or ready


class Holders(NamedTuple):
    """The numbers of the layers and variables inside an object, and whether some are never trained."""

    numbers: frozenset[int]
    untrainable: bool
    objects: tuple[Instance | LibraryObject, ...] = ()
    variables: tuple[Variable, ...] = ()


def holders_of(value: Value, depth: int = 0) -> Holders:
    """All that holds variables inside an object."""
    if isinstance(value, Variable):
        return Holders(frozenset([value.origin.number]), value.trainable is False, (), (value,))
    if depth > DEEPEST:
        return Holders(frozenset(), False)
    inner: list[object] = []
    numbers: frozenset[int] = frozenset()
    objects: tuple[Instance | LibraryObject, ...] = ()
    variables: tuple[Variable, ...] = ()
    untrainable = False
    if isinstance(value, LibraryObject) and value.kind not in HOLDING:
        return Holders(numbers, False)
    if isinstance(value, (Instance, LibraryObject)):
        numbers, objects = frozenset([value.origin.number]), (value,)
        inner = [each for each in value.cells.values() if isinstance(each, Value)]
        if isinstance(value, LibraryObject):
            inner += list(value.arguments.values())
            untrainable = _is_untrained(value)
    else:
        inner = [*parts_of(value)]
    for each in inner:
        if isinstance(each, (Instance, LibraryObject, Sequence, Dictionary, Variable)):
            found = holders_of(each, depth + 1)
            numbers |= found.numbers
            objects += found.objects
            variables += found.variables
            untrainable = untrainable or found.untrainable
    return Holders(numbers, untrainable, objects, variables)


def note_trainable(machine: Machine, holder: LibraryObject | Instance, node: ast.AST) -> None:
    """A trace asks which variables are trained: that hangs on the `trainable` of all that holds some."""
    if machine.graph is None:
        return
    for each in dict.fromkeys(holders_of(holder).objects):
        if isinstance(each, LibraryObject) or each.cls.derives("keras."):
            called = _called(machine, each)
            for key in ("trainable", OF_LAYERS):
                name, value = f"{called}.{key}", _trained_now(each, key)
                captured(machine, each.cells, key, value, node, "trained", name, each.origin.graph)


def note_retrained(machine: Machine, holder: Value, value: Value, node: ast.AST) -> None:
    """`layer.trainable = …` changes what is trained of it, and of all inside (run on 2.21)."""
    if isinstance(holder, LayerOf) and isinstance(holder.model, LibraryObject):
        _retrain(machine, holder.model, OF_LAYERS, value, node)
        machine.retrained[id(holder.model.cells)] = next(ages)  # it may be others than the last time
    elif isinstance(holder, (Instance, LibraryObject)):
        if not same(_trained_now(holder, "trainable"), value):
            machine.retrained[id(holder.cells)] = next(ages)
        for each in dict.fromkeys(holders_of(holder).objects):
            if each is not holder:  # whose own attribute is set as any other is
                _retrain(machine, each, "trainable", value, node)
            if OF_LAYERS in each.cells:
                _retrain(machine, each, OF_LAYERS, value, node)
    else:
        machine.retrained[SOME_LAYER] = next(ages)


def note_replaced(machine: Machine, holder: Instance) -> None:
    """A part of a model got another value: a layer or model in its place has variables of its own."""
    machine.retrained[id(holder.cells)] = next(ages)


def _retrain(
    machine: Machine, holder: LibraryObject | Instance, key: str, value: Value, node: ast.AST
) -> None:
    if machine.graphs:
        note_write(machine, holder.cells, key)
    if not same(_trained_now(holder, key), value):
        machine.retrained[id(holder.cells)] = next(ages)
        machine.note_written(holder.cells, key, node)
        machine.heap.put(holder.cells, key, value)


def _trained_now(holder: LibraryObject | Instance, key: str) -> Value:
    known: Value = holder.cells.get(key) or holder.cells.get("trainable", TRUE)
    return known


def is_frozen(holder: LibraryObject | Instance) -> bool:
    """Whether a layer or model is surely not trained now."""
    trained = _trained_now(holder, "trainable")
    return isinstance(trained, Constant) and not trained.value


def was_retrained(machine: Machine, model: LibraryObject | Instance, since: int) -> bool:
    """Whether other variables of a model may be trained than at that time."""
    held = [SOME_LAYER, *(id(each.cells) for each in holders_of(model).objects)]
    return any(machine.retrained.get(each, 0) > since for each in held)


def _called(machine: Machine, value: LibraryObject | Instance) -> str:
    """How the program calls a layer: by its name, or by its class."""
    scopes = (machine.scope.cells, machine.module.scope.cells)
    names = [name for cells in scopes for name, each in cells.items() if each is value and name != "self"]
    return str(names[0]) if names else type_name(value)


def read_weights(machine: Machine, holder: LibraryObject | Instance, node: ast.AST) -> Value:
    """`layer.get_weights()`: arrays; a graph has no values of the variables to make them of."""
    if machine.graph is not None:
        called = node.func if isinstance(node, ast.Call) else None
        given = called.value if isinstance(called, ast.Attribute) else None
        weights = Variables(holder, "weights", False, machine.origin(node))
        machine.log.use("read", node, weights, "get_weights", given)
        return UNKNOWN
    return Sequence("list", None, machine.origin(node), Array())
