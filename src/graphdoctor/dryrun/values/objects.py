"""Functions, classes, objects and modules, of the program and of libraries."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from graphdoctor.dryrun.values.containers import Dictionary
from graphdoctor.dryrun.values.plain import NOWHERE, Cells, Origin, Union, Unknown, Value, numbers

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.context import Scope, SourceModule
    from graphdoctor.dryrun.values.tensors import Variable


@dataclass(slots=True, eq=False, repr=False)
class Function(Value):
    """A function of the project; `cells` are its own attributes, `owner` the class whose body has it."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    name: str
    scope: Scope
    module: SourceModule
    defaults: list[Value]
    keyword_defaults: dict[str, Value]
    origin: Origin
    owner: Class | None = None
    cells: Cells = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Function({self.name})"


@dataclass(slots=True, eq=False, repr=False)
class Descriptor(Value):
    """A `property`, `cached_property`, `staticmethod` or `classmethod`."""

    kind: str
    function: Value
    setter: Value | None = None


class BoundMethod(Value):
    """A function with the object it was read from; `origin` is where it was read."""

    __slots__ = ("function", "origin", "receiver")

    def __init__(self, function: Value, receiver: Value, origin: Origin = NOWHERE) -> None:
        self.function = function
        self.receiver = receiver
        self.origin = origin


@dataclass(slots=True, eq=False, repr=False)
class Partial(Value):
    """`functools.partial`; `sources` are the expressions that gave its keywords."""

    function: Value
    positional: tuple[Value, ...]
    keywords: Mapping[str, Value]
    origin: Origin
    sources: dict[str, ast.AST] = field(default_factory=dict)


@dataclass(slots=True, eq=False, repr=False)
class Memoized(Value):
    """`functools.lru_cache`: one result for each set of arguments, as many as there is room for."""

    function: Value
    room: int = 128
    cells: Cells = field(default_factory=dict)


class Class(Value):
    """A class of the project; `record` is `dataclass`, `namedtuple`, `enum` or empty."""

    __slots__ = (
        "_derived", "_libraries", "bases", "cells", "fields", "frozen", "line", "linear", "module", "name",
        "node", "origin", "record",
    )  # fmt: skip

    def __init__(
        self, name: str, bases: list[Value], cells: Cells, module: SourceModule, node: ast.AST, origin: Origin
    ) -> None:
        self.name = name
        self.bases = bases
        self.cells = cells
        self.module = module
        self.node = node
        self.origin = origin
        self.record = ""
        self.frozen = False
        self.fields: tuple[str, ...] = ()
        self.linear: tuple[Value, ...] | None = None
        self.line: tuple[Cells, ...] = ()  # what it and its bases in the project say, in that order
        self._libraries: tuple[str, ...] = ()
        self._derived: dict[str, bool] = {}

    @property
    def ancestry(self) -> tuple[Value, ...]:
        """The class and its bases, in the order in which attributes are looked up (nearly)."""
        if self.linear is None:
            self.linear = tuple(dict.fromkeys(_ancestors(self, 0)))
            self.line = tuple(each.cells for each in self.linear if isinstance(each, Class))
            self._libraries = tuple(each.name for each in self.linear if isinstance(each, Library))
        return self.linear

    def find(self, name: str) -> Value | None:
        """What the class or one of its bases in the project says under this name."""
        if self.linear is None:
            _ = self.ancestry
        for cells in self.line:
            if name in cells:
                return cells[name]  # type: ignore[no-any-return]
        return None

    @property
    def libraries(self) -> tuple[str, ...]:
        """The library classes it derives from, by canonical name."""
        if self.linear is None:
            _ = self.ancestry
        return self._libraries

    @property
    def is_open(self) -> bool:
        """Whether a base is not known."""
        return any(isinstance(each, (Unknown, Union)) for each in self.ancestry)

    @property
    def is_replaced(self) -> bool:
        """Whether a decorator or a metaclass may give its objects more than the class says."""
        return bool(getattr(self.node, "decorator_list", ())) or self.find("__metaclass__") is not None

    def derives(self, prefix: str) -> bool:
        """Whether a library class whose name begins so is among its bases."""
        known = self._derived.get(prefix)
        if known is None:
            known = self._derived[prefix] = any(name.startswith(prefix) for name in self.libraries)
        return known

    def __repr__(self) -> str:
        return f"Class({self.name})"


def _ancestors(start: Class, depth: int) -> Iterator[Value]:
    """Depth first, but a shared base after all that derive from it."""
    yield start
    if depth > 20:
        return
    lines = [list(_ancestors(b, depth + 1)) if isinstance(b, Class) else [b] for b in start.bases]
    for position, line in enumerate(lines):
        later = {id(each) for other in lines[position + 1 :] for each in other}
        yield from (each for each in line if id(each) not in later)


class Instance(Value):
    """An object of a class of the project; `cells` are its attributes.

    `unknown_start`: its `__init__` did not run with real arguments.
    """

    __slots__ = ("cells", "cls", "origin", "unknown_start")
    ENTRIES = "<entries>"

    def __init__(self, cls: Class, origin: Origin) -> None:
        self.cls = cls
        self.origin = origin
        self.cells: Cells = {}
        self.unknown_start = False

    @property
    def entries(self) -> Dictionary | None:
        """What it holds as a dict, where its class derives from `dict`."""
        held = self.cells.get(self.ENTRIES)
        return held if isinstance(held, Dictionary) else None

    def __repr__(self) -> str:
        if self.cls.record == "enum":
            return f"{self.cls.name}.{getattr(self.cells.get('name'), 'value', '')}"
        return f"Instance({self.cls.name})"


@dataclass(slots=True, eq=False, repr=False)
class LibraryObject(Value):
    """An object of a library class: a layer, optimizer, loss, generator of random numbers, parser, logger.

    kind: layer · model · optimizer · metric · loss · random · iterator · … `cells` are attributes that the
    program set or that we know; `arguments` what it was made with.
    """

    kind: str
    name: str
    origin: Origin
    arguments: Mapping[Any, Value]
    cells: Cells = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"LibraryObject({self.kind}, {self.name})"


@dataclass(slots=True, eq=False, repr=False)
class Module(Value):
    """A module of the project."""

    module: SourceModule


class Library(Value):
    """A name of a library, canonical: `tensorflow.constant`, `keras.layers.Dense`."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Library) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"Library({self.name})"


@dataclass(slots=True, eq=False, repr=False)
class Method(Value):
    """A method of a value that the library, not the project, defines: `x.numpy`, `items.append`."""

    receiver: Value
    name: str


@dataclass(slots=True, eq=False)
class Kept:
    """What is remembered of a trace in a cache: what it read from outside, who called it, and with what."""

    captures: dict[tuple[int, Any], Any]
    node: ast.AST
    given: list[Value]


@dataclass(slots=True, eq=False, repr=False)
class GraphFunction(Value):
    """A `tf.function`: `function` is what it wraps, `options` what it was given.

    `origin` is where it was made; `definition` names it as TensorFlow does. `per_instance` keeps the one
    of each object when it is a method. `conditional`: it is unknown whether, or at which iteration, it was
    made; `has_few_keys`: a dict holds it under one of a few keys; `looked_up`: a dict holds it under a key
    that was asked for before; `switched`: the call that made it had
    switched graphs off before.
    """

    function: Value
    options: Mapping[str, Value]
    origin: Origin
    number: int = field(default_factory=lambda: next(numbers))
    switched: bool = False
    conditional: bool = False
    has_few_keys: bool = False
    looked_up: bool = False
    receiver: Value | None = None
    per_instance: dict[int, GraphFunction] = field(default_factory=dict)
    cache: dict[Any, Value] = field(default_factory=dict)
    tracing: list[Any] = field(default_factory=list)
    calls: int = 0
    # What the last trace read from outside
    captures: dict[tuple[int, Any], Any] = field(default_factory=dict)
    kept: dict[Any, Kept] = field(default_factory=dict)  # by the keys of the cache
    relaxed: dict[str, Value] = field(default_factory=dict)  # what the last trace was made for
    writes: set[tuple[int, Any]] = field(default_factory=set)
    # What its traces took in by reference, or one of which: `initial_values.py`
    resources: dict[tuple[int, ...], tuple[Variable | LibraryObject, ...]] = field(default_factory=dict)
    cells: Cells = field(default_factory=dict)

    @property
    def traces(self) -> int:
        """How often it was traced; what one branch has traced, another has not."""
        count: int = self.cells.get("traces", 0)
        return count

    def __repr__(self) -> str:
        return f"GraphFunction({self.function})"


@dataclass(slots=True, eq=False, repr=False)
class Generator(Value):
    """A call of a generator function, or a generator expression, not run yet.

    `first`: `enumerate` counts what it yields, and begins with that.
    """

    function: Function | None
    arguments: Any
    origin: Origin
    element: Value | None = None
    first: int | None = None
    cells: Cells = field(default_factory=dict)


@dataclass(slots=True, eq=False, repr=False)
class Super(Value):
    """`super()`."""

    cls: Class
    receiver: Value
