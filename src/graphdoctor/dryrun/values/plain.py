"""What may be known of any value: nothing, a constant, its type, that it is one of several."""

from __future__ import annotations

import ast
import itertools
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from graphdoctor.dryrun.context import Graph, LoopRun, SourceModule
    from graphdoctor.dryrun.provenance import Paths

numbers: Final = itertools.count(1)
ages: Final = itertools.count(1)
NOTHING: Final[frozenset[LoopRun]] = frozenset()
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


UNKNOWN: Final = Unknown()


class Given(Unknown):
    """What whoever calls a graph function may give for a parameter of it; `watched`: by which tapes."""

    __slots__ = ("name", "number", "watched")

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = next(numbers)
        self.watched: frozenset[int] = frozenset()


class LayerOf(Unknown):
    """Some layer of a model, and nobody knows which."""

    __slots__ = ("model",)

    def __init__(self, model: Value) -> None:
        self.model = model


class Opaque(Unknown):
    """Nothing is known, except by which ways it was computed; `gradient`: it is what a tape answered.

    `origin` is where it was computed, if that is known.
    """

    __slots__ = ("gradient", "origin", "paths")

    def __init__(self, paths: Paths, gradient: bool = False, origin: Origin | None = None) -> None:
        self.paths = paths
        self.gradient = gradient
        self.origin = origin


class TypeOf(Unknown):
    """`type(x)`, where no one name stands for it: of `x`, something is known all the same."""

    __slots__ = ("of",)

    def __init__(self, of: Value) -> None:
        self.of = of


class Known(Value):
    """A Python constant: number, text, bool, None, Ellipsis."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"Known({self.value!r})"


class Setting(Known):
    """A constant that whoever starts the program may have set otherwise: the default of an option."""

    __slots__ = ()


NONE: Final = Known(None)
TRUE: Final = Known(True)
FALSE: Final = Known(False)


def is_none(value: object) -> bool:
    """Whether a value is surely None."""
    return isinstance(value, Known) and value.value is None


def is_known_text(value: Value) -> bool:
    """Whether a value is a text, and which one is known."""
    return isinstance(value, Known) and isinstance(value.value, str)


class Scalar(Value):
    """A Python number, text or bool whose value is not known; `few`: out of a small set.

    type: int · float · str · bool · number. `paths` remember what it was computed from, for gradients;
    `linear` is `(unknown, factor, offset)`, so that `x[i : i + 32]` has a known length; `among` are the
    texts of which it is one, empty where nobody knows them. `grain`: it is the `quotient` or the `rest` of
    a division, from which a number is rounded to multiples of another. `open`: a size that we do not know,
    and TensorFlow perhaps neither: in a graph it may be None. `lasting`: a condition that holds from some
    turn of a loop on. `pace`: which unknown it follows from turn to turn, and how many times as fast; two
    that have the same are always equally far from each other.
    """

    __slots__ = ("among", "few", "grain", "lasting", "linear", "open", "pace", "paths", "type", "varies")

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
        self.among: frozenset[object] = frozenset()
        self.grain = ""
        self.lasting = False
        self.open = False
        self.pace: tuple[object, ...] = self.linear[:2] if varies else ()

    def __repr__(self) -> str:
        return f"Scalar({self.type}{', varies' if self.varies else ''})"


def unknown_size(varies: frozenset[LoopRun] = NOTHING) -> Scalar:
    """A size of a tensor of which we know nothing: where it is traced, it may be None."""
    size = Scalar("int", varies)
    size.open = True
    return size


def longer(size: Scalar, by: int) -> Scalar:
    """A size that is as much greater than another one."""
    unknown, factor, offset = size.linear
    made = Scalar("int", size.varies, size.few, linear=(unknown, factor, offset + by))
    made.open = size.open
    return made


class Text(Scalar):
    """A text that is put together of `parts`; `uses` are the recording's uses of tensors in it.

    `even`: each part of it has a width of its own.
    """

    __slots__ = ("even", "parts", "uses")

    def __init__(self, parts: tuple[Value, ...], uses: tuple[int, ...] = (), few: bool = False) -> None:
        super().__init__("str", frozenset().union(*(part.varies for part in parts)), few)
        self.parts = parts
        self.uses = uses
        self.even = False


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


class Alternatives(Choice):
    """One of several values, and each of them in some run: whoever starts the program says which."""

    __slots__ = ()


class Origin:
    """Where and in which loops something was made, in which graph (None: eagerly), and `given` what.

    `doubtful`: perhaps it is not made there, but there is one already. `recipe`: the function and the numbers
    that numbers were computed of, where all of them are known: the same again from the same.
    """

    __slots__ = ("doubtful", "given", "graph", "loops", "module", "node", "number", "recipe", "turns")

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
        self.turns = tuple([loop.turn for loop in loops]) if loops else ()
        self.graph = graph
        self.given: tuple[Value, ...] = ()
        self.doubtful = False
        self.recipe: tuple[object, ...] | None = None
        self.number = next(numbers)


NOWHERE: Final = Origin(None, None, (), None)
