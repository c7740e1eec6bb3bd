"""Abstract values: what the dry run knows of each thing that a program computes.

A value is either immutable, or keeps all that can change in one dict (`cells`), so that the heap's
journal can undo and join what branches do to it. Unknown is silence.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphdoctor.dryrun.context import Graph, LoopRun, Scope, SourceModule
    from graphdoctor.dryrun.provenance import Loss, Paths

numbers = itertools.count(1)
NOTHING: frozenset[LoopRun] = frozenset()
Cells = dict[Any, Any]


class Value:
    """Anything a name can stand for; `varies` are the loops at whose turns it differs."""

    __slots__ = ()
    varies: frozenset[LoopRun] = NOTHING


class Unknown(Value):
    """Nothing is known."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Unknown"


UNKNOWN = Unknown()


class Given(Unknown):
    """What whoever calls a graph function may give for a parameter of it; `watched`: by which tapes."""

    __slots__ = ("name", "number", "watched")

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = next(numbers)
        self.watched: frozenset[int] = frozenset()


class Opaque(Unknown):
    """Nothing is known, except by which ways it was computed; `gradient`: it is what a tape answered.

    `origin` is where it was computed, if that is known.
    """

    __slots__ = ("gradient", "origin", "paths")

    def __init__(self, paths: Paths, gradient: bool = False, origin: Origin | None = None) -> None:
        self.paths = paths
        self.gradient = gradient
        self.origin = origin


class Known(Value):
    """A Python constant: number, text, bool, None, Ellipsis."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"Known({self.value!r})"


NONE, TRUE, FALSE = Known(None), Known(True), Known(False)


class Scalar(Value):
    """A Python number, text or bool whose value is not known; `few`: out of a small set.

    type: int · float · str · bool · number. `paths` remember what it was computed from, for gradients;
    `linear` is `(unknown, factor, offset)`, so that `x[i : i + 32]` has a known length.
    """

    __slots__ = ("few", "linear", "paths", "type", "varies")

    def __init__(
        self,
        type: str,  # noqa: A002 - the noun of the thing
        varies: frozenset[LoopRun] = NOTHING,
        few: bool = False,
        paths: Paths | None = None,
        linear: tuple[int, float, float] | None = None,
    ) -> None:
        self.type = type
        self.linear = linear or (next(numbers), 1, 0)
        self.varies = varies
        self.few = few or type == "bool"
        self.paths = paths

    def __repr__(self) -> str:
        return f"Scalar({self.type}{', varies' if self.varies else ''})"


class Text(Scalar):
    """A text that is put together of `parts`; `uses` are the recording's uses of tensors in it."""

    __slots__ = ("parts", "uses")

    def __init__(self, parts: tuple[Value, ...], uses: tuple[int, ...] = (), few: bool = False) -> None:
        super().__init__("str", frozenset().union(*(part.varies for part in parts)), few)
        self.parts = parts
        self.uses = uses


class Choice(Value):
    """One of several values, nobody knows which."""

    __slots__ = ("alternatives",)

    def __init__(self, alternatives: tuple[Value, ...]) -> None:
        self.alternatives = alternatives

    @property
    def varies(self) -> frozenset[LoopRun]:  # type: ignore[override]
        return frozenset().union(*(each.varies for each in self.alternatives))

    def __repr__(self) -> str:
        return f"Choice{self.alternatives}"


class Origin:
    """Where and in which loops something was made, in which graph (None: eagerly), and `given` what."""

    __slots__ = ("given", "graph", "loops", "module", "node", "number", "turns")

    def __init__(
        self,
        module: SourceModule | None,
        node: ast.AST | None,
        loops: tuple[LoopRun, ...],
        graph: Graph | None,
    ) -> None:
        self.module = module
        self.node = node
        self.loops = loops
        self.turns = tuple(loop.turn for loop in loops)
        self.graph = graph
        self.given: tuple[Value, ...] = ()
        self.number = next(numbers)


NOWHERE = Origin(None, None, (), None)

# A dimension: an int · OPEN, which TensorFlow itself does not know · a Scalar, which we do not know.
OPEN = None
Dimension = int | Scalar | None
Shape = tuple[Dimension, ...] | None


class Numeric(Value):
    """What has a dtype and a shape; None: not known."""

    __slots__ = ("dtype", "origin", "paths", "shape")

    def __init__(
        self,
        dtype: str | None = None,
        shape: Shape = None,
        origin: Origin = NOWHERE,
        paths: Paths | None = None,
    ) -> None:
        self.dtype = dtype
        self.shape = shape
        self.origin = origin
        self.paths = paths

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.dtype}, {self.shape})"


class Tensor(Numeric):
    """A tensor; symbolic when it was made in a graph. `open_rank`: where its rank was lost.

    `rebound` is where it took the place of a Variable; `constant` what it was made from, if a constant;
    `number` stays the same when another graph sees it.
    """

    __slots__ = ("annotated", "constant", "number", "open_rank", "rebound", "watched")

    def __init__(
        self,
        dtype: str | None = None,
        shape: Shape = None,
        origin: Origin = NOWHERE,
        paths: Paths | None = None,
        open_rank: Origin | None = None,
    ) -> None:
        super().__init__(dtype, shape, origin, paths)
        self.open_rank = open_rank
        self.rebound: Loss | None = None
        self.number = origin.number if origin is not NOWHERE else next(numbers)
        self.watched: frozenset[int] = frozenset()
        self.constant: Value | None = None
        self.annotated = False  # nothing but an annotation says that it is a tensor

    @property
    def graph(self) -> Graph | None:
        return self.origin.graph

    def moved(self, origin: Origin) -> Tensor:
        """The same tensor, as another graph or place sees it."""
        twin = Tensor(self.dtype, self.shape, origin, self.paths, self.open_rank)
        twin.rebound, twin.watched, twin.constant = self.rebound, self.watched, self.constant
        twin.annotated = self.annotated
        twin.number = self.number
        return twin


class Array(Numeric):
    """A NumPy array or scalar."""

    __slots__ = ("varies",)

    def __init__(
        self,
        dtype: str | None = None,
        shape: Shape = None,
        origin: Origin = NOWHERE,
        paths: Paths | None = None,
        varies: frozenset[LoopRun] = NOTHING,
    ) -> None:
        super().__init__(dtype, shape, origin, paths)
        self.varies = varies


class KerasTensor(Numeric):
    """The placeholder of a functional model; `calls` are those of user code that lead to it.

    `layers` are those of Keras on the way to it.
    """

    __slots__ = ("calls", "layers")

    def __init__(
        self,
        dtype: str | None = None,
        shape: Shape = None,
        origin: Origin = NOWHERE,
        paths: Paths | None = None,
        calls: tuple[Any, ...] = (),
        layers: tuple[Value, ...] = (),
    ) -> None:
        super().__init__(dtype, shape, origin, paths)
        self.calls = calls
        self.layers = layers


class Variable(Value):
    """A `tf.Variable`; `cells["paths"]` is what was assigned to it, for gradients through state."""

    __slots__ = ("cells", "dtype", "name", "origin", "shape", "trainable")

    def __init__(
        self, dtype: str | None, shape: Shape, origin: Origin, trainable: bool | None = True, name: str = ""
    ) -> None:
        self.dtype = dtype
        self.shape = shape
        self.origin = origin
        self.trainable = trainable
        self.name = name
        self.cells: Cells = {}


class TensorArray(Value):
    """A `tf.TensorArray`; every write gives a new one."""

    __slots__ = ("dtype", "element", "options", "origin", "paths")

    def __init__(
        self,
        dtype: str | None,
        element: Shape,
        origin: Origin,
        options: Mapping[str, Value],
        paths: Paths | None = None,
    ) -> None:
        self.dtype = dtype
        self.element = element
        self.origin = origin
        self.options = options
        self.paths = paths


class Dataset(Value):
    """A `tf.data` pipeline and what it gives; `turns` how many elements, where known.

    `traced` are the functions that it runs for each element.
    """

    __slots__ = ("element", "origin", "traced", "turns")

    def __init__(
        self,
        element: Value,
        origin: Origin,
        turns: int | None = None,
        traced: tuple[GraphFunction, ...] = (),
    ) -> None:
        self.element = element
        self.origin = origin
        self.turns = turns
        self.traced = traced

    def derived(self, element: Value, turns: int | None = None, *traced: GraphFunction) -> Dataset:
        """A pipeline that goes on from this one, with another function or none."""
        return Dataset(element, self.origin, turns, (*self.traced, *traced))


class Sequence(Value):
    """A list, tuple, set, range or iterator.

    cells: `items` is the tuple of its elements, or None when only a typical `element` is known; `grows`
    are the loops at whose turns its length changes. `fields` are those of a named tuple, `argument` is the
    parameter of a graph function through which it was given, `sources` are the expressions that gave a
    `*args` its items. `bounded`: elements are taken out as well, so that it does not grow without end.
    """

    __slots__ = ("argument", "bounded", "cells", "count", "fields", "kind", "origin", "sources")

    def __init__(
        self,
        kind: str,
        items: tuple[Value, ...] | None,
        origin: Origin,
        element: Value | None = None,
        count: int | None = None,
        fields: tuple[str, ...] = (),
    ) -> None:
        self.kind = kind
        self.origin = origin
        self.count = count
        self.fields = fields
        self.argument = ""
        self.sources: dict[int, ast.AST] = {}
        self.bounded = False
        self.cells: Cells = {"items": items, "element": element, "grows": NOTHING}

    @property
    def items(self) -> tuple[Value, ...] | None:
        return self.cells["items"]  # type: ignore[no-any-return]

    @property
    def members(self) -> tuple[Value, ...]:
        """Its elements, or the typical one."""
        typical = self.cells["element"]
        return self.items if self.items is not None else (typical,) if typical is not None else ()

    @property
    def grows(self) -> frozenset[LoopRun]:
        return NOTHING if self.bounded else self.cells["grows"]

    def __repr__(self) -> str:
        return (
            f"{self.kind}{self.items if self.items is not None else '(…' + repr(self.cells['element']) + ')'}"
        )


class Rest:
    """The key under which a dictionary keeps what was stored under keys that nobody knows."""

    def __repr__(self) -> str:
        return "REST"


REST = Rest()


class Dictionary(Value):
    """A dict: `cells` are its entries, by the Python value of the key; `sources` as in a Sequence."""

    __slots__ = ("argument", "cells", "origin", "sources", "type")

    def __init__(self, cells: Cells, origin: Origin, type: str = "dict") -> None:  # noqa: A002
        self.cells = cells
        self.origin = origin
        self.type = type
        self.argument = ""
        self.sources: dict[str, ast.AST] = {}

    @property
    def entries(self) -> dict[Any, Value]:
        return {key: value for key, value in self.cells.items() if key is not REST}

    @property
    def complete(self) -> bool:
        """Whether all keys are known."""
        return REST not in self.cells


class Function(Value):
    """A function of the project; `cells` are its own attributes, `owner` the class whose body has it."""

    __slots__ = (
        "cells",
        "defaults",
        "keyword_defaults",
        "module",
        "name",
        "node",
        "origin",
        "owner",
        "scope",
    )

    def __init__(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        name: str,
        scope: Scope,
        module: SourceModule,
        defaults: list[Value],
        keyword_defaults: dict[str, Value],
        origin: Origin,
    ) -> None:
        self.node = node
        self.name = name
        self.scope = scope
        self.module = module
        self.defaults = defaults
        self.keyword_defaults = keyword_defaults
        self.origin = origin
        self.owner: Class | None = None
        self.cells: Cells = {}

    def __repr__(self) -> str:
        return f"Function({self.name})"


class Descriptor(Value):
    """A `property`, `cached_property`, `staticmethod` or `classmethod`."""

    __slots__ = ("function", "kind", "setter")

    def __init__(self, kind: str, function: Value, setter: Value | None = None) -> None:
        self.kind = kind
        self.function = function
        self.setter = setter


class BoundMethod(Value):
    """A function with the object it was read from; `origin` is where it was read."""

    __slots__ = ("function", "origin", "receiver")

    def __init__(self, function: Value, receiver: Value, origin: Origin = NOWHERE) -> None:
        self.function = function
        self.receiver = receiver
        self.origin = origin


class Partial(Value):
    """`functools.partial`; `sources` are the expressions that gave its keywords."""

    __slots__ = ("function", "keywords", "origin", "positional", "sources")

    def __init__(
        self, function: Value, positional: tuple[Value, ...], keywords: Mapping[str, Value], origin: Origin
    ) -> None:
        self.function = function
        self.positional = positional
        self.keywords = keywords
        self.origin = origin
        self.sources: dict[str, ast.AST] = {}


class Memoized(Value):
    """`functools.lru_cache`: one result for each set of arguments."""

    __slots__ = ("function", "results")

    def __init__(self, function: Value) -> None:
        self.function = function
        self.results: dict[Any, Value] = {}


class Class(Value):
    """A class of the project; `record` is `dataclass`, `namedtuple`, `enum` or empty."""

    __slots__ = ("bases", "cells", "fields", "frozen", "linear", "module", "name", "node", "origin", "record")

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

    @property
    def ancestry(self) -> tuple[Value, ...]:
        """The class and its bases, in the order in which attributes are looked up (nearly)."""
        if self.linear is None:
            self.linear = tuple(dict.fromkeys(_ancestors(self, 0)))
        return self.linear

    def find(self, name: str) -> Value | None:
        """What the class or one of its bases in the project says under this name."""
        for each in self.ancestry:
            if isinstance(each, Class) and name in each.cells:
                return each.cells[name]  # type: ignore[no-any-return]
        return None

    @property
    def libraries(self) -> tuple[str, ...]:
        """The library classes it derives from, by canonical name."""
        return tuple(each.name for each in self.ancestry if isinstance(each, Library))

    @property
    def is_open(self) -> bool:
        """Whether a base is not known."""
        return any(isinstance(each, Unknown | Choice) for each in self.ancestry)

    def derives(self, prefix: str) -> bool:
        """Whether a library class whose name begins so is among its bases."""
        return any(name.startswith(prefix) for name in self.libraries)

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

    def __init__(self, cls: Class, origin: Origin) -> None:
        self.cls = cls
        self.origin = origin
        self.cells: Cells = {}
        self.unknown_start = False

    def __repr__(self) -> str:
        return f"Instance({self.cls.name})"


class LibraryObject(Value):
    """An object of a library class: a layer, optimizer, loss, generator of random numbers, parser, logger.

    kind: layer · model · optimizer · metric · loss · random · iterator · … `cells` are attributes that the
    program set or that we know; `arguments` what it was made with.
    """

    __slots__ = ("arguments", "cells", "kind", "name", "origin")

    def __init__(self, kind: str, name: str, origin: Origin, arguments: Mapping[Any, Value]) -> None:
        self.kind = kind
        self.name = name
        self.origin = origin
        self.arguments = arguments
        self.cells: Cells = {}

    def __repr__(self) -> str:
        return f"LibraryObject({self.kind}, {self.name})"


class Module(Value):
    """A module of the project."""

    __slots__ = ("module",)

    def __init__(self, module: SourceModule) -> None:
        self.module = module


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


class Method(Value):
    """A method of a value that the library, not the project, defines: `x.numpy`, `items.append`."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Value, name: str) -> None:
        self.receiver = receiver
        self.name = name


class GraphFunction(Value):
    """A `tf.function`: `function` is what it wraps, `options` what it was given.

    `origin` is where it was made; `definition` names it as TensorFlow does. `per_instance` keeps the one
    of each object when it is a method.
    """

    __slots__ = (
        "cache",
        "calls",
        "captures",
        "cells",
        "function",
        "kept",
        "number",
        "options",
        "origin",
        "per_instance",
        "receiver",
        "relaxed",
        "traces",
        "tracing",
        "writes",
    )

    def __init__(self, function: Value, options: Mapping[str, Value], origin: Origin) -> None:
        self.function = function
        self.options = options
        self.origin = origin
        self.number = next(numbers)
        self.receiver: Value | None = None
        self.per_instance: dict[int, GraphFunction] = {}
        self.cache: dict[Any, Value] = {}
        self.tracing: list[Any] = []
        self.traces = 0
        self.calls = 0
        self.captures: dict[tuple[int, Any], Any] = {}  # what the last trace read from outside
        self.kept: dict[Any, dict[tuple[int, Any], Any]] = {}  # the same for each trace in the cache
        self.relaxed: dict[str, Value] = {}  # what the last trace was made for
        self.writes: set[tuple[int, Any]] = set()
        self.cells: Cells = {}

    def __repr__(self) -> str:
        return f"GraphFunction({self.function})"


class Variables(Value):
    """`model.trainable_variables` and the like: of which object, read where, and before it was built."""

    __slots__ = ("early", "kind", "of", "origin")

    def __init__(self, of: Value, kind: str, early: bool, origin: Origin) -> None:
        self.of = of
        self.kind = kind
        self.early = early
        self.origin = origin


class Tape(Value):
    """A `tf.GradientTape`: cells `open` and `used`.

    `watched` are the sources that it was told to watch, and where; `copied` what these were made from;
    `loose`: it may watch anything; `lent`: others, who are not known, may ask it.
    """

    __slots__ = ("cells", "copied", "lent", "loose", "number", "origin", "persistent", "watched", "watches")

    def __init__(self, origin: Origin, persistent: bool | None, watches: bool) -> None:
        self.origin = origin
        self.persistent = persistent
        self.watches = watches
        self.watched: dict[int, Loss] = {}
        self.copied: dict[int, Loss] = {}
        self.loose = False
        self.lent = False
        self.number = next(numbers)
        self.cells: Cells = {"open": False, "used": (), "closed": False}


class Generator(Value):
    """A call of a generator function, or a generator expression, not run yet."""

    __slots__ = ("arguments", "cells", "element", "function", "origin")

    def __init__(
        self,
        function: Function | None,
        arguments: Any,
        origin: Origin,
        element: Value | None = None,
    ) -> None:
        self.function = function
        self.arguments = arguments
        self.origin = origin
        self.element = element
        self.cells: Cells = {}


class Super(Value):
    """`super()`."""

    __slots__ = ("cls", "receiver")

    def __init__(self, cls: Class, receiver: Value) -> None:
        self.cls = cls
        self.receiver = receiver


class StaticShape(Value):
    """`x.shape` of a tensor: its dimensions, None when not even their number is known; `node` read it."""

    __slots__ = ("dimensions", "node", "of")

    def __init__(self, dimensions: Shape, of: Value | None = None, node: ast.AST | None = None) -> None:
        self.dimensions = dimensions
        self.of = of
        self.node = node


class DType(Value):
    """A dtype of TensorFlow or NumPy."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"DType({self.name})"


class TensorSpec(Value):
    """`tf.TensorSpec`."""

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: Shape, dtype: str | None) -> None:
        self.shape = shape
        self.dtype = dtype


class Slice(Value):
    """`a[1:n]`: start, stop and step."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Value, Value, Value]) -> None:
        self.parts = parts
