"""What a recording says of values, and of the calls that lead to them."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphdoctor.dryrun.core.context import Activation, LoopRun, SourceModule
from graphdoctor.dryrun.staleness.allocation import active_loops, brings_weights, reallocated_objects
from graphdoctor.dryrun.staleness.bounds import is_seldom, waits
from graphdoctor.dryrun.values import (
    AbstractNumber,
    Array,
    BoundMethod,
    Constant,
    Dictionary,
    DType,
    Function,
    Generator,
    GraphFunction,
    Instance,
    KerasTensor,
    LibraryObject,
    Numeric,
    Opaque,
    Origin,
    Partial,
    Sequence,
    Shape,
    Slice,
    Tensor,
    TensorArray,
    Union,
    Value,
    Variable,
)
from graphdoctor.dryrun.values.joining import alternatives, python_type
from graphdoctor.dryrun.values.open_sizes import OpenSize
from graphdoctor.dryrun.values.terms import MOST_FEW, leaves
from graphdoctor.recording.format import CALLER, PROGRAM, Argument, Definition, Frame, Loop, Place, Variation
from graphdoctor.recording.format import Value as Described

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.event_log import Log
    from graphdoctor.dryrun.core.machine import Machine


class Chains:
    """Names nodes, functions, loops and calls of the machine as recordings do."""

    machine: Machine

    def place(self, node: ast.AST, module: SourceModule | None = None) -> Place:
        """Where a node of a module is; of what stands for a library, the user's line that calls it."""
        module = module or self.machine.module
        if module.transparent:
            node, module = self._caller(node, module)
        known = module.places.get(node)
        if known is None:
            span = module.syntax.span(node)
            known = module.places[node] = Place(
                path=span.path,
                line=span.line,
                column=span.column,
                end_line=span.end_line,
                end_column=span.end_column,
                cell=span.cell,
            )
        return known

    def _caller(self, node: ast.AST, module: SourceModule) -> tuple[ast.AST, SourceModule]:
        """The innermost node of the user's that is under way."""
        for each in reversed(self.machine.activations):
            if not each.module.transparent and each.node is not None:
                return each.node, each.module
        return node, module

    def place_of(self, origin: Origin) -> Place | None:
        """Where something was made."""
        if origin.module is None or origin.node is None or not hasattr(origin.node, "lineno"):
            return None
        return self.place(origin.node, origin.module)

    def loop(self, run: LoopRun, at: ast.AST | None = None) -> Loop:
        """A loop around a place, as a recording names it."""
        seldom = at is not None and is_seldom(run, at)
        return Loop(
            place=self.place(run.node, run.module),
            turns=run.count,
            graph=run.graph,
            seldom=seldom,
            waits=at is not None and waits(run.node),
        )

    def definition(self, function: Function) -> Definition:
        """A function, as a recording names it."""
        return self.definition_at(function.node, function.module)

    def definition_at(self, node: ast.AST, module: SourceModule) -> Definition:
        """The function that a node defines, as a recording names it."""
        known = module.definitions.get(node)
        if known is None:
            decorators = getattr(node, "decorator_list", [])
            line = self.place(decorators[0] if decorators else node, module).line
            name = module.syntax.name_of(node)
            known = module.definitions[node] = Definition(name=name, path=module.path, line=line)
        return known

    def chain(self, node: ast.AST) -> tuple[Frame, ...]:
        """The calls that lead to a node of the innermost function, outermost first."""
        frames: list[Frame] = []
        activations = [each for each in self.machine.activations if not each.module.transparent]
        if self.machine.module.transparent:
            node = self._caller(node, self.machine.module)[0]
        for position, activation in enumerate(activations):
            last = position == len(activations) - 1
            at = node if last else activation.node
            if at is None or not hasattr(at, "lineno"):
                continue
            end = len(self.machine.loops) if last else activations[position + 1].first_loop
            frames.append(self._frame(activation, at, end))
        return tuple(frames)

    def _frame(self, activation: Activation, at: ast.AST, end: int) -> Frame:
        function = activation.function
        loops = [loop for loop in self.machine.loops[activation.first_loop : end] if not loop.driver]
        key = (at, loops, activation.entered)
        if activation.frame is not None and activation.frame[0] == key:
            return activation.frame[1]  # what a call does, it does at one place of its caller
        definition = self.definition(function) if function is not None else None
        frame = Frame(
            function=definition.name if definition is not None else self._outermost(),
            place=self.place(at, activation.module),
            definition=definition,
            loops=tuple([self.loop(run, at) for run in loops]),
            entered=activation.entered,
        )
        if function is not None:
            activation.frame = key, frame
        return frame

    def _outermost(self) -> str:
        return PROGRAM if self.machine.is_program else CALLER


DEEPEST = 3
LONGEST_TEXT = 80
MOST_PARTS = 40
OBJECTS = (Instance, LibraryObject, Function, Partial, BoundMethod, Generator, GraphFunction)


class Describer:
    """Describes values for the log of one dry run."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._combined: set[LoopRun] = set()  # loops at whose iterations an argument has other few values

    def arguments(
        self, values: dict[str, Value], nodes: dict[str, ast.AST], module: SourceModule | None = None
    ) -> tuple[Argument, ...]:
        """The arguments of a call and their parts, each with the path that names it.

        `module` is where the expressions stand, if not in the one that runs now.
        """
        found: list[Argument] = []
        for name, value in values.items():
            place = self._log.place(nodes[name], module) if name in nodes else None
            self._combined = _combined_in(value)
            for path, part in parts(value, name):
                if len(found) < MOST_PARTS:
                    described = self.describe(part)
                    found.append(_argument(described, path, place))
        self._combined = set()
        return tuple(found)

    def given(
        self, values: dict[str, Value], nodes: dict[str, ast.AST], made: tuple[LoopRun, ...]
    ) -> tuple[Argument, ...]:
        """The arguments of a graph function; they vary only in loops in which the same Function is called,

        for the same models.
        """
        given = [each for value in values.values() for each in alternatives(value)]
        self._log.given.update(each.origin.number for each in given if isinstance(each, Instance))
        loops = [loop for loop in active_loops(self._log.machine) if loop not in made]
        here = {
            self._log.place(loop.node, loop.module)
            for loop in loops
            if not any(brings_weights(value, loop) for value in values.values())
        }
        return tuple(
            dataclasses.replace(argument, varies=tuple(v for v in argument.varies if v.loop in here))
            if argument.varies
            else argument
            for argument in self.arguments(values, nodes)
        )

    def describe(self, value: Value) -> Described:
        """What is known of a value."""
        varies = tuple(sorted(self._variations(value), key=_order))
        if isinstance(value, Union) and varies:
            value = value.alternatives[0]  # each of them is an object of this iteration
        if isinstance(value, (Numeric, Variable)):
            settled = isinstance(value, Tensor) and value.constant is not None
            return Described(
                kind=_numeric_kind(value),
                text="settled" if settled else "",
                dtype=value.dtype or "",
                shape=plain_shape(value.shape),
                made=self._log.place_of(value.origin),
                identity=value.origin.number,
                varies=varies,
            )
        if isinstance(value, OpenSize):
            return Described(kind="value", type="NoneType", text="None")
        if isinstance(value, Constant):
            text = repr(value.value)[:LONGEST_TEXT]
            return Described(kind="value", type=type(value.value).__name__, text=text)
        if python_type(value):
            return Described(kind="value", type=python_type(value), varies=varies)
        if isinstance(value, Sequence):
            length = len(value.items) if value.items is not None else value.count or 0
            if value.kind == "iterator":
                return Described(kind="object", type="generator", identity=value.origin.number, varies=varies)
            kind = "record" if value.fields is not None else value.kind
            keys = value.fields.names if value.fields is not None else ()
            return Described(kind=kind, length=length, keys=keys, varies=varies)
        if isinstance(value, Dictionary):
            keys = tuple(map(str, value.entries))
            return Described(kind="dict", keys=keys, length=len(keys), varies=varies)
        if isinstance(value, OBJECTS):
            return Described(
                kind="object",
                type=_type(value),
                text=_name(value),
                identity=value.origin.number,
                made=self._log.place_of(value.origin),
                varies=varies,
            )
        if isinstance(value, DType):
            return Described(kind="other", type="DType", text=value.name)
        if isinstance(value, TensorArray):
            return Described(kind="tensor", type="TensorArray", dtype=value.dtype or "")
        if isinstance(value, Slice):
            whole = all(isinstance(part, Constant) and part.value is None for part in value.parts)
            return Described(kind="value", type="slice", text=":" if whole else "")
        return Described(kind="unknown", varies=varies)

    def _variations(self, value: Value) -> Iterator[Variation]:
        if isinstance(value, AbstractNumber):
            yield from self._values(value)
        elif isinstance(value, Numeric) and value.shape is not None:
            for axis, size in enumerate(value.shape):
                if isinstance(size, AbstractNumber):
                    for loop in size.varies:
                        yield self._variation("shape", loop, axis, size.few)
        elif isinstance(value, (Sequence, Dictionary)):
            yield from (self._variation("length", loop) for loop in value.grows)
        if (
            isinstance(value, (Tensor, Opaque))
            and value.origin is not None
            and value.origin.graph is not None
        ):
            yield from (self._variation("value", loop) for loop in value.origin.graph.loops)
        for loop in reallocated_objects(self._log.machine, value):
            yield self._variation("identity", loop)

    def _values(self, value: AbstractNumber) -> Iterator[Variation]:
        """The iterations of loops that a number differs at; those of a loop that is run repeatedly add up."""
        runs: dict[Place, list[LoopRun]] = {}
        for loop in value.varies:
            runs.setdefault(self._log.place(loop.node, loop.module), []).append(loop)
        for place, loops in runs.items():
            counts = [loop.count for loop in loops if loop.count is not None]
            iterations = sum(counts) if len(counts) == len(loops) else None
            few = value.few and self._combined.isdisjoint(loops)
            yield Variation(what="value", loop=place, turns=iterations, few=few)

    def _variation(self, what: str, loop: LoopRun, axis: int | None = None, few: bool = False) -> Variation:
        place: Place = self._log.place(loop.node, loop.module)
        return Variation(what=what, loop=place, turns=loop.count, axis=axis, few=few)


def _combined_in(value: Value) -> set[LoopRun]:
    """The loops at whose iterations so many numbers of one value differ that, together, they are not few.

    Each of them has two values or more, and none is computed of another one.
    """
    if not isinstance(value, Sequence) or value.items is None:
        return set()
    differing = [each for each in value.items if isinstance(each, AbstractNumber) and each.varies]
    loops = {loop for each in differing for loop in each.varies}
    found: set[LoopRun] = set()
    for loop in loops:
        atoms = {atom for each in differing if loop in each.varies for atom in leaves(each.term)}
        if 2 ** min(len(atoms), len(differing)) > MOST_FEW:
            found.add(loop)
    return found


def _order(variation: Variation) -> tuple[str, int, int, int, str, int]:
    """What distinguishes variations that a set gives in any order: the outer loop first."""
    place = variation.loop
    return (
        place.path, place.cell or 0, place.line, place.column, variation.what, variation.axis or 0,
    )  # fmt: skip


def _argument(described: Described, path: str, place: Place | None) -> Argument:
    return Argument(
        kind=described.kind,
        type=described.type,
        text=described.text,
        dtype=described.dtype,
        shape=described.shape,
        identity=described.identity,
        length=described.length,
        keys=described.keys,
        made=described.made,
        varies=described.varies,
        path=path,
        place=place,
    )


def parts(value: Value, name: str, depth: int = 0) -> Iterator[tuple[str, Value]]:
    """A value and what it is made of, by paths as in `batch["mel"][0]`."""
    yield name, value
    if depth >= DEEPEST:
        return
    if isinstance(value, Sequence) and value.items is not None and value.kind in ("list", "tuple"):
        for position, item in enumerate(value.items[:MOST_PARTS]):
            inner = name + value.place(position)
            yield from parts(item, inner, depth + 1)
    elif isinstance(value, Sequence) and value.kind in ("list", "tuple") and not value.grows:
        for typical in value.members:
            yield from parts(typical, f"{name}[0]", depth + 1)
    elif isinstance(value, Dictionary):
        for key, item in value.entries.items():
            yield from parts(item, f'{name}["{key}"]', depth + 1)


def plain_shape(shape: Shape) -> tuple[int | None, ...] | None:
    """A shape with None for all that is not known."""
    return None if shape is None else tuple(size if isinstance(size, int) else None for size in shape)


def _numeric_kind(value: Numeric | Variable) -> str:
    if isinstance(value, Tensor):
        return "tensor"
    if isinstance(value, KerasTensor):
        return "object"
    return "array" if isinstance(value, Array) else "variable"


def _type(value: Value) -> str:
    if isinstance(value, Instance):
        return value.cls.name
    if isinstance(value, LibraryObject):
        return value.name.rpartition(".")[2]
    if isinstance(value, Function):
        return "lambda" if value.name == "<lambda>" else "function"
    names = {Partial: "partial", BoundMethod: "method", Generator: "generator", GraphFunction: "Function"}
    return names[type(value)]


def _name(value: Value) -> str:
    while isinstance(value, (BoundMethod, Partial, GraphFunction)):
        value = value.function
    return value.name if isinstance(value, Function) and value.name != "<lambda>" else ""
