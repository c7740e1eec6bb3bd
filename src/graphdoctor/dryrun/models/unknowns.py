"""Methods whose names say enough, on values of which nothing else is known."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.arguments import Arguments
from graphdoctor.dryrun.attributes import TELLING
from graphdoctor.dryrun.items import note_given_changed
from graphdoctor.dryrun.machine import Machine, hand_over
from graphdoctor.dryrun.models.data import dataset_method
from graphdoctor.dryrun.models.optimizers import note_swapped
from graphdoctor.dryrun.models.registry import methods
from graphdoctor.dryrun.operations import left
from graphdoctor.dryrun.values import UNKNOWN, Dataset, Given, Opaque, Unknown, Value


@methods(Unknown, Opaque, Given)
def unknown_method(
    machine: Machine, receiver: Unknown, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if isinstance(receiver, Given) and name not in TELLING:
        note_given_changed(machine, receiver, node)
        return UNKNOWN
    if name == "apply_gradients":
        shown = arguments.node(0, "grads_and_vars", node)
        note_swapped(machine, None, arguments.get(0, "grads_and_vars"), shown)
        return UNKNOWN
    if name in ("map", "interleave"):
        if "num_parallel_calls" in arguments.keywords:
            source = Dataset(UNKNOWN, machine.origin(node))
            source.origin.given = (receiver,)
            return dataset_method(machine, source, name, arguments, node)
        return machine.call(UNKNOWN, arguments, node)
    hand_over(arguments)
    paths = left(machine, [receiver], f".{name}()", node) if machine.opened else None
    return Opaque(paths) if paths else UNKNOWN
