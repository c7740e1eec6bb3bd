"""A program → what the dry run infers for each of its expressions."""

import ast
import collections
import contextlib
import functools
import os
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.dryrun import values
from graphdoctor.dryrun.core.machine import EXPRESSIONS, Machine
from graphdoctor.dryrun.recorder import record
from graphdoctor.dryrun.values import Value
from graphdoctor.source import parse_module, read_source
from graphdoctor.source.project import Project
from inference_probe.descriptions import (
    SOME,
    AnyDescription,
    Anything,
    Constant,
    Either,
    Elements,
    Entries,
    Numbers,
    NumberType,
    Object,
    Pipeline,
    Size,
    Sizes,
    Some,
    Structure,
    Thing,
    Typical,
    Writes,
)
from inference_probe.instrumenting import NOTED, place_of

KERAS = 3
MOST = 40  # different inferred values of an expression
DEEPEST = 5
KINDS = (
    (values.Tensor, "tensor"),
    (values.Array, "array"),
    (values.KerasTensor, "placeholder"),
    (values.Variable, "variable"),
    (values.TensorSpec, "spec"),
)
OBJECTS = (
    values.Class,
    values.Function,
    values.Generator,
    values.GraphFunction,
    values.LibraryObject,
    values.Partial,
    values.Tape,
)
Inferred = dict[str, list[AnyDescription]]


def inferred_values_of(path: str, root: str) -> Inferred:
    """What the dry run of a program infers, by the places of expressions below its root folder."""
    project = Project(read_source, lambda path, text: parse_module(path, text, KERAS))
    project.add(parse_module(path, read_source(path), KERAS))
    inferred_values: Inferred = collections.defaultdict(list)

    def look(machine: Machine, node: ast.expr, value: Value) -> None:
        if machine.is_program and machine.activations:
            here = inferred_values[place_of(os.path.relpath(machine.module.syntax.path, root), node)]
            described = describe(value)
            if len(here) < MOST and described not in here:
                here.append(described)

    with watched(look):
        record(project, path)
    return dict(inferred_values)


@contextlib.contextmanager
def watched(look: Callable[[Machine, Any, Value], None]) -> Iterator[None]:
    """While open, each value that a dry run computes is shown to `look`."""

    def looking(handler: Callable[[Machine, Any], Value], machine: Machine, node: Any) -> Value:
        value = handler(machine, node)
        look(machine, node, value)
        return value

    before: dict[type[ast.AST], Callable[[Machine, Any], Value]] = {kind: EXPRESSIONS[kind] for kind in NOTED}
    EXPRESSIONS.update({kind: functools.partial(looking, handler) for kind, handler in before.items()})
    try:
        yield
    finally:
        EXPRESSIONS.update(before)


def describe(value: Any, depth: int = 0) -> AnyDescription:
    """What is inferred of a value."""
    if depth > DEEPEST or isinstance(value, values.Unknown):
        return Anything()
    for kind, name in KINDS:
        if isinstance(value, kind):
            numbers = Numbers(name, value.dtype, sizes_of(value.shape))
            if getattr(value, "answer", False):
                return Either((numbers, Constant("NoneType", "None"), Thing(("IndexedSlices",))))
            return Structure(numbers) if getattr(value, "supposed", False) else numbers
    match value:
        case values.Union():
            return Either(tuple(describe(each, depth + 1) for each in value.alternatives))
        case values.Constant():
            return Constant(type(value.value).__name__, repr(value.value))
        case values.AbstractNumber():
            return Some(value.type, frozenset(map(repr, value.among)))
        case values.StaticShape():
            return Sizes(sizes_of(value.dimensions))
        case values.DType():
            return NumberType(value.name)
        case values.TensorArray():
            return Writes(value.dtype)
        case values.Dataset():
            return Pipeline(describe(value.element, depth + 1), value.iterations)
        case values.Sequence() | values.Dictionary():
            return container(value, depth + 1)
        case values.Instance():
            return Object(value.cls.name)
    return Object("") if isinstance(value, OBJECTS) else Anything()


def container(value: values.Sequence | values.Dictionary, depth: int) -> AnyDescription:
    """A list, tuple, set, range, iterator or dict."""
    if isinstance(value, values.Dictionary):
        entries = {repr(key): describe(each, depth) for key, each in value.entries.items()}
        return Entries(entries, value.complete, frozenset(map(repr, value.perhaps)))
    items = value.items
    if items is not None:
        return Elements(value.kind, tuple(describe(each, depth) for each in items), len(items))
    typical = value.cells["element"]
    if typical is not None:
        return Typical(value.kind, describe(typical, depth))
    return Elements(value.kind, None, value.count)


def sizes_of(shape: values.Shape) -> tuple[Size, ...] | None:
    """A shape as it is described."""
    if shape is None:
        return None
    return tuple(size if size is None or isinstance(size, int) else SOME for size in shape)
