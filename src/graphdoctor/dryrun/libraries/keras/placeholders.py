"""Placeholders of functional Keras models, given to what takes tensors only."""

from __future__ import annotations

import ast
import re

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.registry import Call
from graphdoctor.dryrun.tracing.operations import numeric_parts
from graphdoctor.dryrun.values import KerasTensor, Sequence, Value

# Keras as people name it since it left TensorFlow. Under `tf.keras`, code that calls TensorFlow on such
# placeholders was right for years: where only the installed Keras speaks for 3, that says how old it is.
KERAS_ITSELF = re.compile(r"^\s*(?:import keras\b|from keras\b)", re.MULTILINE)


def note_placeholder(call: Call) -> bool:
    """Whether a function of TensorFlow's is given a placeholder, which raises; written down then."""
    if not _refuses(call.machine):
        return False
    if not call.name.startswith("tensorflow.") or call.last.startswith("assert"):
        return False  # run on 2.21: assertions let it pass
    given = call.arguments
    named: list[tuple[int | str, Value]] = [*enumerate(given.positional), *given.keywords.items()]
    held = [key for key, value in named if _placeholders(value)]
    syntax = call.machine.module.syntax
    stated = syntax.keras is not None  # by the settings, or by a run
    if not held or not (stated or KERAS_ITSELF.search(syntax.text)):
        return False
    shown = call.name.replace("tensorflow.", "tf.", 1)
    for key, value in named:
        for node, part in _written(given.nodes.get(key, call.node), value) if key in held else ():
            refused(call.machine, part, node, shown)
    return True


def _written(node: ast.AST, value: Value) -> list[tuple[ast.AST, Value]]:
    """What is given, by where it is written: each of a list that is written out by itself."""
    items = value.items if isinstance(value, Sequence) else None
    if not isinstance(node, (ast.List, ast.Tuple)) or items is None or len(items) != len(node.elts):
        return [(node, value)]
    return [(each, item) for each, item in zip(node.elts, items, strict=True) if isinstance(item, Value)]


def _refuses(machine: Machine) -> bool:
    return machine.graph is None and machine.module.keras == 3


def refused(machine: Machine, value: Value, node: ast.AST, name: str) -> bool:
    """Whether a value is, or holds, a placeholder of Keras 3, which `name` cannot take; written down then."""
    found = _placeholders(value) if _refuses(machine) else []
    if found:
        machine.log.use("keras-input", node, found[0], name)
    return bool(found)


def _placeholders(value: Value) -> list[KerasTensor]:
    return [part for part in numeric_parts(value) if isinstance(part, KerasTensor)]
