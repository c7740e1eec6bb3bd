"""`tf.nest`, and what else calls a function with the parts of a structure."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graphdoctor.dryrun.libraries.callbacks import call_unconverted
from graphdoctor.dryrun.libraries.registry import Call, function
from graphdoctor.dryrun.values import (
    UNKNOWN,
    Dictionary,
    Origin,
    Sequence,
    Union,
    Unknown,
    Value,
    Variables,
)


@function("tensorflow.nest.map_structure")
def map_structure(call: Call) -> Value:
    machine = call.machine
    callee, *structures = call.arguments.positional or [UNKNOWN]
    if len(structures) != 1 or not isinstance(structures[0], Sequence):
        return UNKNOWN

    def on_leaf(leaf: Value) -> Value:
        given = call_unconverted(machine, callee, [leaf], call.node, "tf.nest.map_structure")
        return UNKNOWN if isinstance(leaf, Unknown) else given  # it may be a structure itself

    return _mapped(structures[0], on_leaf, machine.origin(call.node))


@function("tensorflow.ragged.map_flat_values")
def map_flat_values(call: Call) -> Value:
    """It calls the function at once, with the values of ragged tensors, which are unknown."""
    callee, *given = call.arguments.positional or [UNKNOWN]
    call_unconverted(call.machine, callee, [UNKNOWN for _ in given], call.node, "tf.ragged.map_flat_values")
    return UNKNOWN


def _mapped(structure: Value, on_leaf: Callable[[Value], Value], origin: Origin, depth: int = 0) -> Value:
    if isinstance(structure, Sequence) and structure.items is not None and depth < 4:
        items = tuple(_mapped(part, on_leaf, origin, depth + 1) for part in structure.items)
        return Sequence(structure.kind, items, origin, fields=structure.fields)
    if isinstance(structure, (Sequence, Dictionary)):
        return UNKNOWN
    return on_leaf(structure)


@function("tensorflow.nest.flatten")
def flatten(call: Call) -> Value:
    items = _flattened(call.get(0, "structure"))
    return Sequence("list", items, call.machine.origin(call.node)) if items is not None else UNKNOWN


def _flattened(value: Value, depth: int = 0) -> tuple[Value, ...] | None:
    """The leaves of a structure that is known whole."""
    if isinstance(value, (Unknown, Variables, Union)) or depth > 4:
        return None
    if isinstance(value, Dictionary):
        parts = tuple(value.entries.values()) if value.complete else None
    elif isinstance(value, Sequence):
        parts = value.items
    else:
        return (value,)
    found = [_flattened(part, depth + 1) for part in parts] if parts is not None else [None]
    return None if None in found else tuple(leaf for leaves in found if leaves for leaf in leaves)


@function("tensorflow.nest.pack_sequence_as", "keras.tree.pack_sequence_as")
def pack_sequence_as(call: Call) -> Value:
    """The structure of the first argument, whatever it is."""
    flat, structure = call.get(1, "flat_sequence"), call.get(0, "structure")
    leaves = flat.items if isinstance(flat, Sequence) and flat.items is not None else ()
    wanted = _flattened(structure)
    if wanted is None or len(wanted) != len(leaves):
        return UNKNOWN
    return _packed(structure, iter(leaves), call.machine.origin(call.node))


def _packed(structure: Value, leaves: Iterator[Value], origin: Origin) -> Value:
    if isinstance(structure, Sequence) and structure.items is not None:
        items = tuple(_packed(part, leaves, origin) for part in structure.items)
        return Sequence(structure.kind, items, origin, fields=structure.fields)
    if isinstance(structure, Dictionary):
        parts = {key: _packed(part, leaves, origin) for key, part in structure.entries.items()}
        return Dictionary(parts, origin)
    return next(leaves)
