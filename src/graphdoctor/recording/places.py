"""Places of a recording → the nouns of findings, and paths as people name them."""

import dataclasses
import functools
import itertools
from collections.abc import Callable
from typing import Any

from graphdoctor.model import FunctionRef, Related, Span
from graphdoctor.recording.format import Definition, Event, Line, Place

PLACED = (Place, Definition, Line)


def span_of(place: Place) -> Span:
    """The stretch of text; a place of which only the line is known marks the whole line."""
    return Span(
        path=place.path,
        line=place.line,
        column=place.column or 1,
        end_line=place.end_line or place.line,
        end_column=place.end_column or place.column or 1,
        cell=place.cell,
    )


def related_to(place: Place, message: str) -> Related:
    """Another place that helps to understand a finding."""
    return Related.at(span_of(place), message=message)


def way_to(event: Event, traced: str) -> tuple[Related, ...]:
    """The frames that lead to an event, outermost first, without its own, and where `traced` is traced."""
    if len(event.chain) < 2:
        return ()
    method, of_keras, _ = traced.partition(":")  # `fit:train_step`
    tracing = f"traced by `{method}`" if of_keras else f"`{traced}` is traced"
    way = [
        (frame.place, f"`{frame.function}` calls `{frame.entered or inner.function}`")
        for frame, inner in itertools.pairwise(event.chain)
    ]
    if event.traced_by is not None:
        entry = next((number for number, step in enumerate(way) if step[0] == event.traced_by), None)
        known = slice(0, 0) if entry is None else slice(entry, entry + 1)
        way[known] = [(event.traced_by, tracing)]
    return tuple(related_to(place, message) for place, message in dict.fromkeys(way))  # a recursion once


def function_of(definition: Definition) -> FunctionRef:
    """The function as findings name it."""
    return FunctionRef(name=definition.name, path=definition.path, line=definition.line)


def rename_paths(noun: Any, named: Callable[[str], str]) -> None:
    """Give every place in a noun just read its path as people name it.

    It changes the noun in place: nobody else has it yet, and copies of a hundred thousand traces take long.
    """
    if isinstance(noun, tuple):
        for part in noun:
            rename_paths(part, named)
        return
    if isinstance(noun, PLACED):
        object.__setattr__(noun, "path", named(noun.path))
    kind: Any = type(noun)
    for name in _parts(kind):
        part = getattr(noun, name)
        if part:
            rename_paths(part, named)


@functools.cache
def _parts(kind: Any) -> tuple[str, ...]:
    """The fields of a noun that may hold places."""
    if not dataclasses.is_dataclass(kind):
        return ()
    return tuple(field.name for field in dataclasses.fields(kind) if _may_hold(str(field.type)))


def _may_hold(annotation: str) -> bool:
    nouns = ("Place", "Definition", "Line", "Frame", "Loop", "Variation", "Value", "Argument", "State")
    return any(noun in annotation for noun in (*nouns, "Conflict", "Step", "Source"))
