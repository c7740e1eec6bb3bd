"""Lists, tuples, sets, dicts and slices."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from graphdoctor.dryrun.values.plain import NOTHING, Cells, Origin, Value, ages
from graphdoctor.dryrun.values.terms import Term

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.context import LoopRun
    from graphdoctor.dryrun.values.objects import Class


@dataclass(slots=True, eq=False, repr=False)
class Fields:
    """The names of a named tuple's places, and the class of the project that gives it methods."""

    names: tuple[str, ...]
    cls: Class | None = None


class Sequence(Value):
    """A list, tuple, set, range or iterator.

    cells: `items` is the tuple of its elements, or None when only a typical `element` is known; `grows`
    are the loops at whose iterations its length changes, `age` is greater than that of all made before it.
    `fields` are those of a named tuple, `argument` is the parameter of a graph function through which it
    was given, `sources` are the expressions that gave a `*args` its items. `bounded`: elements are taken
    out as well, so that it does not grow without end.
    `length`: the term of its length when it was made, of a list that is as long as a number says.
    """

    __slots__ = ("argument", "bounded", "cells", "count", "fields", "kind", "length", "origin", "sources")

    def __init__(
        self,
        kind: str,
        items: tuple[Value, ...] | None,
        origin: Origin,
        element: Value | None = None,
        count: int | None = None,
        fields: Fields | None = None,
    ) -> None:
        self.kind = kind
        self.origin = origin
        self.count = count
        self.fields = fields
        self.argument = ""
        self.sources: dict[int, ast.AST] = {}
        self.bounded = False
        self.length: Term | None = None
        self.cells: Cells = {"items": items, "element": element, "grows": NOTHING, "age": next(ages)}

    @property
    def items(self) -> tuple[Value, ...] | None:
        return self.cells["items"]  # type: ignore[no-any-return]

    @property
    def members(self) -> tuple[Value, ...]:
        """Its elements, or the typical one."""
        typical = self.cells["element"]
        return self.items if self.items is not None else (typical,) if typical is not None else ()

    def place(self, position: int) -> str:
        """How an element is asked for: `[1]`, `.count`."""
        return f".{self.fields.names[position]}" if self.fields is not None else f"[{position}]"

    @property
    def grows(self) -> frozenset[LoopRun]:
        return NOTHING if self.bounded else self.cells["grows"]

    def __repr__(self) -> str:
        return (
            f"{self.kind}{self.items if self.items is not None else '(…' + repr(self.cells['element']) + ')'}"
        )


class View(Sequence):
    """`keys()`, `values()` or `items()` of a dict: what that has now, whenever somebody asks."""

    __slots__ = ("current",)

    def __init__(
        self, current: Callable[[], tuple[Value, ...] | None], origin: Origin, element: Value | None
    ) -> None:
        super().__init__("view", None, origin, element)
        self.current = current

    @property
    def items(self) -> tuple[Value, ...] | None:
        return self.current()


class Rest:
    """The key under which a dictionary keeps what was stored under keys that are unknown."""

    def __repr__(self) -> str:
        return "REST"


REST: Final = Rest()


class Entries(dict[Any, Any]):
    """The cells of a dict: `perhaps` are the keys that it has only on some of the ways to here."""

    __slots__ = ("perhaps",)

    def __init__(self, cells: Cells) -> None:
        super().__init__(cells)
        self.perhaps: set[Any] = set(cells.perhaps) if isinstance(cells, Entries) else set()


class Dictionary(Value):
    """A dict: `cells` are its entries, by the Python value of the key; `sources` as in a Sequence.

    `grows`: the loops at whose iterations it gets another key. `latest`: the key that is unknown under which
    something was stored last, what that was, and what the dict had under such keys from then on.
    `factory`: what a `defaultdict` calls for a key that it has not.
    """

    __slots__ = ("argument", "cells", "factory", "grows", "latest", "origin", "sources", "type")

    def __init__(self, cells: Cells, origin: Origin, type: str = "dict") -> None:  # noqa: A002
        self.cells: Cells = Entries(cells)
        self.origin = origin
        self.type = type
        self.factory: Value | None = None
        self.argument = ""
        self.grows: frozenset[LoopRun] = NOTHING
        self.latest: tuple[object, Value, Value] | None = None
        self.sources: dict[str, ast.AST] = {}

    def like(self, cells: Cells, origin: Origin | None = None) -> Dictionary:
        """A dict of the same kind with other values, of whose keys the same may be missing."""
        made = Dictionary(cells, origin or self.origin, self.type)
        made.doubt(self.perhaps)
        return made

    def doubt(self, keys: set[Any]) -> None:
        """These keys may be missing."""
        assert isinstance(self.cells, Entries)
        self.cells.perhaps |= keys

    @property
    def entries(self) -> dict[Any, Value]:
        return {key: value for key, value in self.cells.items() if key is not REST}

    @property
    def complete(self) -> bool:
        """Whether all keys are known."""
        return REST not in self.cells

    @property
    def exact(self) -> bool:
        """Whether all keys are known, and each of them is there on every way."""
        return REST not in self.cells and not self.perhaps

    @property
    def perhaps(self) -> set[Any]:
        """The keys that are there on some ways only."""
        cells = self.cells
        return cells.perhaps & cells.keys() if isinstance(cells, Entries) else set()


@dataclass(slots=True, eq=False, repr=False)
class Slice(Value):
    """`a[1:n]`: start, stop and step."""

    parts: tuple[Value, Value, Value]
