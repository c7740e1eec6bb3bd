"""Learning rate schedules of the program's own: whoever applies gradients asks them for the rate."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.attributes import get_attribute
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import Instance, LibraryObject, Tensor


def ask_schedule(machine: Machine, optimizer: object, node: ast.AST) -> None:
    """Call the schedule that an optimizer was made with."""
    from graphdoctor.dryrun.libraries.keras.calls import in_keras

    if not isinstance(optimizer, LibraryObject):
        return
    rate = optimizer.arguments.get(0, optimizer.arguments.get("learning_rate"))
    if isinstance(rate, Instance) and rate.cls.derives("keras.optimizers.schedules."):
        method = get_attribute(machine, rate, "__call__", node)
        in_keras(machine, rate, method, Arguments([Tensor("int64", (), machine.origin(node))]), node)
