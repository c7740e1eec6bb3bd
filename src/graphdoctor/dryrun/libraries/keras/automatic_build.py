"""Keras 3 builds a layer without `build()` by running its `call`."""

from collections.abc import Callable

from graphdoctor.dryrun.core.definitions import underlying
from graphdoctor.dryrun.core.escape_analysis import ESCAPED
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.keras.objects import DECLARED_BUILT, held_layers, is_built
from graphdoctor.dryrun.tracing.initial_values import AutomaticBuild
from graphdoctor.dryrun.values import Function, Instance, LibraryObject, Value


def built_by_running(machine: Machine, layer: Instance, call: Callable[[], Value]) -> Value:
    """What the first call of a layer gives; an automatic build runs the same code before it."""
    around = machine.building
    if not is_built_by_running(layer):
        return call()
    building = machine.building = around or AutomaticBuild(machine.graph)
    building.layers.append(layer)
    try:
        return call()
    finally:
        building.layers.pop()
        machine.building = around


def makes_variables_in_graph(machine: Machine, layer: LibraryObject | Instance) -> bool:
    """Whether Keras makes the variables of a layer in a graph; an automatic build makes them where it began.

    A layer that the build itself makes, and nothing holds, is made again by the call that follows.
    """
    building = machine.building
    if machine.graph is None or building is None or building.graph is not None:
        return machine.graph is not None
    if layer.origin.number < building.number:
        return False
    return not any(held is layer for holder in building.layers for held in held_layers(holder))


def is_built_by_running(layer: Instance) -> bool:
    """Whether Keras 3 runs `call` to build a layer: it has no `build()`, and holds an unbuilt layer."""
    call = underlying(layer.cls.find("call") or layer)
    if not isinstance(call, Function) or call.module.keras != 3 or layer.unknown_start:
        return False
    if {"__built__", DECLARED_BUILT, ESCAPED} & layer.cells.keys() or layer.cls.find("build") is not None:
        return False
    return layer.cls.find("__call__") is None and any(map(_is_unbuilt, held_layers(layer)))


def _is_unbuilt(layer: Value) -> bool:
    if isinstance(layer, Instance):
        return "__built__" not in layer.cells and ESCAPED not in layer.cells
    return isinstance(layer, LibraryObject) and ESCAPED not in layer.cells and not is_built(layer)
