"""Tensors, arrays, variables and datasets, and what speaks of them: shapes, dtypes, tapes."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from graphdoctor.dryrun.values.plain import (
    NOTHING,
    NOWHERE,
    AbstractNumber,
    Cells,
    Origin,
    Value,
    ages,
    numbers,
)
from graphdoctor.dryrun.values.terms import Term, constant, unknown

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.context import Graph, LoopRun
    from graphdoctor.dryrun.gradients.provenance import Loss, Paths
    from graphdoctor.dryrun.values.objects import GraphFunction

# A dimension: an int · OPEN, which TensorFlow itself does not know · an AbstractNumber, which we do not know.
OPEN: Final = None
Dimension = int | AbstractNumber | None
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
    `number` stays the same when another graph sees it. `supposed`: it may as well be several, in a structure.
    `open_batch`: of its shape nothing is known, but that the first size is open. `perhaps`: it may be this.
    `answer`: it is what a tape answered, perhaps None, where it found no way, or some rows of a tensor.
    """

    __slots__ = (
        "annotated", "answer", "constant", "number", "open_batch", "open_rank", "perhaps", "rebound",
        "supposed", "watched",
    )  # fmt: skip

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
        self.perhaps: Value | None = None
        self.supposed = self.open_batch = False
        self.answer = False
        self.annotated = False  # nothing but an annotation says that it is a tensor

    @property
    def graph(self) -> Graph | None:
        return self.origin.graph

    def shaped(self, shape: Shape) -> Tensor:
        """The same tensor, of whose sizes something else is known."""
        copied = self.moved(self.origin)
        copied.shape = shape
        return copied

    def moved(self, origin: Origin) -> Tensor:
        """The same tensor, as another graph or place sees it."""
        copied = Tensor(self.dtype, self.shape, origin, self.paths, self.open_rank)
        copied.rebound, copied.watched, copied.constant = self.rebound, self.watched, self.constant
        copied.annotated, copied.supposed, copied.open_batch = self.annotated, self.supposed, self.open_batch
        copied.number, copied.answer = self.number, self.answer
        return copied


class Array(Numeric):
    """A NumPy array or scalar; `number` is which one, where that is known; `few`: one of a few."""

    __slots__ = ("_term", "few", "number", "varies")

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
        self.few = False
        self.number: int | float | None = None
        self._term: Term | None = None

    @property
    def term(self) -> Term:
        """Of one number: what it is computed of."""
        if self._term is None:
            known = self.number is not None and not self.varies
            self._term = constant(self.number) if known else unknown(self.varies, self.few)  # type: ignore[arg-type]
        return self._term

    @term.setter
    def term(self, value: Term) -> None:
        self._term = value


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


@dataclass(slots=True, eq=False, repr=False)
class Variable(Value):
    """A `tf.Variable`; `cells["paths"]` is what was assigned to it, for gradients through state."""

    dtype: str | None
    shape: Shape
    origin: Origin
    trainable: bool | None = True
    name: str = ""
    cells: Cells = field(default_factory=dict)


@dataclass(slots=True, eq=False, repr=False)
class TensorArray(Value):
    """A `tf.TensorArray`; every write gives a new one."""

    dtype: str | None
    element: Shape
    origin: Origin
    options: Mapping[str, Value]
    paths: Paths | None = None


@dataclass(slots=True, eq=False, repr=False)
class Dataset(Value):
    """A `tf.data` pipeline and what it gives; `iterations` how many elements, where known.

    `traced` are the functions that it runs for each element. `even`: elements were put into batches as they
    are, which needs them to be of one size: what is open while tracing is the same at each iteration.
    `whole`: the last of its batches is as large as the others, which is unknown while tracing.
    """

    element: Value
    origin: Origin
    iterations: int | None = None
    traced: tuple[GraphFunction, ...] = ()
    even: bool = False
    whole: bool = False

    def derived(self, element: Value, iterations: int | None = None, *traced: GraphFunction) -> Dataset:
        """A pipeline that goes on from this one, with another function or none."""
        made = Dataset(element, self.origin, iterations, (*self.traced, *traced))
        made.even = self.even
        made.whole = self.whole and element is self.element
        return made


@dataclass(slots=True, eq=False, repr=False)
class Variables(Value):
    """`model.trainable_variables` and the like: of which object, read where, and before it was built."""

    of: Value
    kind: str
    early: bool
    origin: Origin


@dataclass(slots=True, eq=False, repr=False)
class Tape(Value):
    """A `tf.GradientTape`: cells `open` and `used`.

    `watched` are the sources that it was asked to watch, and where; `copied` what these were made from;
    `loose`: it may watch anything; `escaped`: others, who are not known, may ask it.
    """

    origin: Origin
    persistent: bool | None
    watches: bool
    watched: dict[int, Loss] = field(default_factory=dict)
    copied: dict[int, Loss] = field(default_factory=dict)
    loose: bool = False
    escaped: bool = False
    number: int = field(default_factory=lambda: next(numbers))
    cells: Cells = field(
        default_factory=lambda: {"open": False, "used": (), "closed": False, "age": next(ages)}
    )


@dataclass(slots=True, eq=False, repr=False)
class StaticShape(Value):
    """`x.shape` of a tensor: its dimensions, None when not even their number is known; `node` read it.

    `first` is the axis of the tensor with which it begins: 1 of `x.shape[1:]`.
    """

    dimensions: Shape
    of: Value | None = None
    node: ast.AST | None = None
    first: int = 0


@dataclass(slots=True, eq=False, repr=False)
class DType(Value):
    """A dtype of TensorFlow or NumPy."""

    name: str

    def __repr__(self) -> str:
        return f"DType({self.name})"


@dataclass(slots=True, eq=False, repr=False)
class TensorSpec(Value):
    """`tf.TensorSpec`; `open_rank`: it leaves even the number of axes open."""

    shape: Shape
    dtype: str | None
    open_rank: bool
