"""Texts put together of parts: a symbolic tensor in one is there by its name, not by its value."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from graphdoctor.dryrun.control.staging import is_symbolic
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import AbstractString, Constant, Sequence, Tensor, Union, Unknown, Value
from graphdoctor.dryrun.values.joining import python_type
from graphdoctor.dryrun.values.printed_content import refused

# What these are given, people read: an assertion's message, the name of an operation.
FOR_PEOPLE = ("message", "name", "summarize", "err_msg", "desc")
PLAIN = frozenset((Constant, Tensor, Unknown))  # most values are one of these
SPEAKING = ("builtins.", "logging.", "absl.logging.", "warnings.", "traceback.", "sys.", "tqdm.", "rich.")


def text_of(
    machine: Machine, parts: Iterable[tuple[Value, ast.AST]], how: str, whole: ast.AST | None = None
) -> Value:
    """A text that shows these values, each with the expression that gave it; `whole` is all of it."""
    uses: list[int] = []
    values: list[Value] = []
    for value, node in parts:
        values.append(value)
        if is_symbolic(machine, value):
            position = machine.log.use("text", node, value, how)
            if position is not None:
                uses.append(position)
        elif isinstance(value, AbstractString):
            uses += value.uses
    few = all(isinstance(value, Constant) or getattr(value, "few", False) for value in values)
    made = AbstractString(tuple(values), tuple(uses), few)
    if whole is not None:
        for tensor in refused(made, whole):
            machine.log.use("format", whole, tensor, how)
    return made


def is_text(value: Value) -> bool:
    """Whether a value is surely a text."""
    return python_type(value) == "str"


def note_texts(machine: Machine, values: Iterable[Value], into: str, depth: int = 0) -> None:
    """Write down that texts with tensors in them are computed with, kept or given back."""
    for value in values:
        if value.__class__ in PLAIN:
            continue
        if isinstance(value, AbstractString):
            for position in value.uses:
                machine.log.went_into(position, into)
        elif isinstance(value, Union):
            note_texts(machine, value.alternatives, into, depth)
        elif isinstance(value, Sequence) and value.items is not None and depth < 3:
            note_texts(machine, value.items, into, depth + 1)


def note_given_texts(
    machine: Machine, name: str, positional: list[Value], keywords: dict[str, Value]
) -> None:
    """Write down that a library function gets such texts, unless it shows them to people."""
    given = [value for value in positional if value.__class__ not in PLAIN]
    if keywords:
        given += [value for key, value in keywords.items() if key not in FOR_PEOPLE]
    if given and not name.startswith(SPEAKING) and ".debugging." not in name:
        note_texts(machine, given, name)
