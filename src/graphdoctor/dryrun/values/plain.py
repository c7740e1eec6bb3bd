"""What may be known of any value: nothing, a constant, its type, that it is one of several."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from graphdoctor.dryrun.values import terms
from graphdoctor.dryrun.values.terms import Atom, Term

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.context import Graph, LoopRun, SourceModule
    from graphdoctor.dryrun.gradients.provenance import Paths

numbers: Final = itertools.count(1)
ages: Final = itertools.count(1)
NOTHING: Final[frozenset[LoopRun]] = frozenset()
Cells = dict[Any, Any]


class Value:
    """Anything a name can stand for; `varies` are the loops at whose iterations it differs."""

    __slots__ = ()
    varies: frozenset[LoopRun] = NOTHING


class Unknown(Value):
    """Nothing is known."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Unknown"


UNKNOWN: Final = Unknown()


class Given(Unknown):
    """What whoever calls a graph function may give for a parameter of it; `watched`: by which tapes."""

    __slots__ = ("name", "number", "watched")

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = next(numbers)
        self.watched: frozenset[int] = frozenset()


@dataclass(slots=True, eq=False, repr=False)
class LayerOf(Unknown):
    """Some layer of a model, and it is unknown which."""

    model: Value


@dataclass(slots=True, eq=False, repr=False)
class Opaque(Unknown):
    """Nothing is known, except by which ways it was computed; `gradient`: it is what a tape answered.

    `origin` is where it was computed, if that is known.
    """

    paths: Paths
    gradient: bool = False
    origin: Origin | None = None


@dataclass(slots=True, eq=False, repr=False)
class TypeOf(Unknown):
    """`type(x)`, where no one name stands for it: of `x`, something is known all the same."""

    of: Value


class Constant(Value):
    """A Python constant: number, text, bool, None, Ellipsis."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"Constant({self.value!r})"


class Setting(Constant):
    """A constant that whoever starts the program may have set otherwise: the default of an option."""

    __slots__ = ()


class Stepped(Constant):
    """A number in the one iteration that is run of several: `term` says what it is in each of them."""

    __slots__ = ("term",)

    def __init__(self, value: Any, term: Term) -> None:
        super().__init__(value)
        self.term = term


NONE: Final = Constant(None)
TRUE: Final = Constant(True)
FALSE: Final = Constant(False)


def is_none(value: object) -> bool:
    """Whether a value is surely None."""
    return isinstance(value, Constant) and value.value is None


def is_known_text(value: Value) -> bool:
    """Whether a value is a text, and which one is known."""
    return isinstance(value, Constant) and isinstance(value.value, str)


def known_int(value: object) -> int | None:
    """The whole number that a value is, where it is one that is known."""
    return value.value if isinstance(value, Constant) and isinstance(value.value, int) else None


class AbstractNumber(Value):
    """A Python number, text or bool whose value is not known; `few`: out of a small set.

    type: int · float · str · bool · number. `paths` remember what it was computed from, for gradients;
    `term` says of what numbers, so that `x[i : i + 32]` has a known length; `among` are the texts of which
    it is one, empty if unknown. `open`: a size that we do not know, and TensorFlow perhaps neither: in
    a graph it may be None.
    """

    __slots__ = ("among", "few", "open", "paths", "term", "type", "varies")

    def __init__(
        self,
        type: str,  # noqa: A002 - the noun of the thing
        varies: frozenset[LoopRun] = NOTHING,
        few: bool = False,
        paths: Paths | None = None,
        term: Term | None = None,
    ) -> None:
        self.type = type
        self.term = term or terms.unknown(varies, few)
        self.varies = varies
        self.few = few or type == "bool"
        self.paths = paths
        self.among: frozenset[object] = frozenset()
        self.open = False

    def __repr__(self) -> str:
        return f"AbstractNumber({self.type}{', varies' if self.varies else ''})"


def unknown_size(varies: frozenset[LoopRun] = NOTHING, few: bool = False) -> AbstractNumber:
    """A size of a tensor of which we know nothing: where it is traced, it may be None."""
    size = AbstractNumber("int", varies, few)
    size.open = True
    return size


def longer(size: AbstractNumber, by: int) -> AbstractNumber:
    """A size that is as much greater than another one."""
    made = AbstractNumber("int", size.varies, size.few, term=terms.add(size.term, terms.constant(by)))
    made.open = size.open
    return made


def computed_number(
    kind: str, name: str, values: Sequence[Value], paths: Paths | None = None
) -> AbstractNumber:
    """What an operation gives of numbers of which not all are known."""
    known = [term_of(value) for value in values]
    varies: frozenset[LoopRun] = NOTHING.union(*[value.varies for value in values])
    if None in known:
        return AbstractNumber(kind, varies, all(map(is_few, values)), paths)
    term = terms.apply(name, *[each for each in known if each is not None])
    few = terms.is_few(term) or all(map(is_few, values))
    return AbstractNumber(kind, varies & term.loops, few, paths, term)


def term_of(value: object) -> Term | None:
    """The term of a number; None for what is none."""
    if isinstance(value, Constant) and not isinstance(value, Stepped):
        return terms.constant(value.value) if isinstance(value.value, (int, float)) else None
    return getattr(value, "term", None)


def is_few(value: Value) -> bool:
    """Whether a value is one of a few."""
    return isinstance(value, Constant) or bool(getattr(value, "few", False))


class AbstractString(AbstractNumber):
    """A text that is put together of `parts`; `uses` are the recording's uses of tensors in it.

    `even`: each part of it has a width of its own.
    """

    __slots__ = ("even", "parts", "uses")

    def __init__(self, parts: tuple[Value, ...], uses: tuple[int, ...] = (), few: bool = False) -> None:
        super().__init__("str", frozenset().union(*(part.varies for part in parts)), few)
        self.parts = parts
        self.uses = uses
        self.even = False


class Identity(AbstractNumber):
    """What `id` gives; `known`: the value is one object, which nothing else stands for."""

    __slots__ = ("known", "of")

    def __init__(self, of: Value, known: bool) -> None:
        super().__init__("int", of.varies)
        self.of = of
        self.known = known


class Union(Value):
    """One of several values, it is unknown which."""

    __slots__ = ("alternatives",)

    def __init__(self, alternatives: tuple[Value, ...]) -> None:
        self.alternatives = alternatives

    @property
    def varies(self) -> frozenset[LoopRun]:  # type: ignore[override]
        return frozenset().union(*(each.varies for each in self.alternatives))

    def __repr__(self) -> str:
        return f"Union{self.alternatives}"


class Alternatives(Union):
    """One of several values, and each of them in some run: whoever starts the program says which."""

    __slots__ = ()


class Origin:
    """Where and in which loops something was made, in which graph (None: eagerly), and `given` what.

    `doubtful`: perhaps it is not made there, but there is one already. `recipe`: of what numbers were
    computed, where that is known: the same again from the same.
    """

    __slots__ = ("doubtful", "given", "graph", "iterations", "loops", "module", "node", "number", "recipe")

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
        self.iterations = tuple([loop.iteration for loop in loops]) if loops else ()
        self.graph = graph
        self.given: tuple[Value, ...] = ()
        self.doubtful = False
        self.recipe: Atom | None = None
        self.number = next(numbers)


NOWHERE: Final = Origin(None, None, (), None)
