"""Placeholders of functional Keras models, given to what takes tensors only."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.models.registry import Call
from graphdoctor.dryrun.operations import numeric_parts
from graphdoctor.dryrun.values import KerasTensor, Value


def note_placeholder(call: Call) -> bool:
    """Whether a function of TensorFlow's is given a placeholder, which raises; written down then."""
    if not call.name.startswith("tensorflow.") or call.last.startswith("assert"):
        return False  # run on 2.21: assertions let it pass
    given = call.arguments
    named: list[tuple[int | str, Value]] = [*enumerate(given.positional), *given.keywords.items()]
    shown = call.name.replace("tensorflow.", "tf.", 1)
    return any(refused(call.machine, value, given.nodes.get(key, call.node), shown) for key, value in named)


def refused(machine: Machine, value: Value, node: ast.AST, name: str) -> bool:
    """Whether a value is, or holds, a placeholder of Keras 3, which `name` cannot take; written down then."""
    if machine.module.keras != 3 or machine.graph is not None:
        return False
    found = [part for part in numeric_parts(value) if isinstance(part, KerasTensor)]
    if found:
        machine.log.use("keras-input", node, found[0], name)
    return bool(found)
