"""Every change of a name, attribute or element goes through here, so that it can be undone and joined."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.dryrun.control.flow import RAISE, Flow, OutOfBudget, Raised
from graphdoctor.dryrun.core.context import LoopRun
from graphdoctor.dryrun.values import NOTHING, REST, UNKNOWN, Cells, Dictionary, Entries, Sequence, Value
from graphdoctor.dryrun.values.joining import MISSING, element_of, join

FIXED = ("tuple", "range", "view")


class Change:
    """What a stretch of the program did to one cell."""

    __slots__ = ("after", "before", "cells", "key")

    def __init__(self, cells: Cells, key: Any, before: Any) -> None:
        self.cells = cells
        self.key = key
        self.before = before
        self.after: Any = MISSING


Changes = dict[tuple[int, Any], Change]


class Heap:
    """The journal: `(cells, key, what was there)`, kept while anybody may want to undo."""

    def __init__(self) -> None:
        self._journal: list[tuple[Cells, Any, Any]] = []
        self._watchers = 0
        self.attempts = 0  # how many branches are under way whose changes are undone and joined
        self._passing: dict[int, int] = {}  # the names of calls under way, and how many watched their begin

    @property
    def depth(self) -> int:
        """How many stretches of the program are under way whose changes may be undone or widened."""
        return self._watchers

    def put(self, cells: Cells, key: Any, value: Any) -> None:
        """Store a value."""
        watchers = self._watchers
        if watchers and self._passing.get(id(cells)) != watchers:
            self._journal.append((cells, key, cells.get(key, MISSING)))
        cells[key] = value
        if not watchers and cells.__class__ is Entries:
            cells.perhaps.discard(key)

    def remove(self, cells: Cells, key: Any) -> None:
        """Forget a value."""
        if key in cells:
            if self._watchers and self._passing.get(id(cells)) != self._watchers:
                self._journal.append((cells, key, cells[key]))
            del cells[key]

    def begin(self, cells: Cells) -> None:
        """The names of a call begin, which are gone with it: who watches from outside need not know them."""
        self._passing[id(cells)] = self._watchers

    def end(self, cells: Cells) -> None:
        """The call is over."""
        self._passing.pop(id(cells), None)

    @contextlib.contextmanager
    def apart(self) -> Iterator[None]:
        """While open, changes are for good, whoever may want to undo his own."""
        before = self._journal, self._watchers
        self._journal, self._watchers = [], 0
        try:
            yield
        finally:
            self._journal, self._watchers = before

    @contextlib.contextmanager
    def watched(self) -> Iterator[Callable[[], Changes]]:
        """While open, changes are noted; the function that is given returns them so far."""
        mark = len(self._journal)
        self._watchers += 1
        try:
            yield lambda: self._since(mark)
        finally:
            self._watchers = watchers = self._watchers - 1
            passing = self._passing
            rest = [each for each in self._journal[mark:] if passing.get(id(each[0])) != watchers]
            self._journal[mark:] = rest if watchers else []

    def attempt(self, action: Callable[[], Flow]) -> tuple[Flow, Changes]:
        """Run something, and undo all it did: how it ended, and what it changed."""
        mark = len(self._journal)
        self._watchers += 1
        self.attempts += 1
        try:
            flow = action()
        except Raised:
            flow = RAISE
        except OutOfBudget:
            self._undo(mark)
            raise
        finally:
            self._watchers -= 1
            self.attempts -= 1
        changes = self._since(mark)
        self._undo(mark)
        return flow, changes

    def undone(self, action: Callable[[], object]) -> None:
        """Run something, and undo all it did, also when it ends early."""
        mark = len(self._journal)
        self._watchers += 1
        try:
            action()
        finally:
            self._watchers -= 1
            self._undo(mark)

    def _since(self, mark: int) -> Changes:
        changes: Changes = {}
        for cells, key, before in self._journal[mark:]:
            place = (id(cells), key)
            if place not in changes:
                changes[place] = change = Change(cells, key, before)
                change.after = cells.get(key, MISSING)
        return changes

    def _undo(self, mark: int) -> None:
        for index in range(len(self._journal) - 1, mark - 1, -1):
            cells, key, before = self._journal[index]
            if before is MISSING:
                cells.pop(key, None)
            else:
                cells[key] = before
        del self._journal[mark:]

    def merge(self, cells: Cells, key: Any, values: list[Any], varies: frozenset[LoopRun] = NOTHING) -> None:
        """Store what is true of all values that a cell may have."""
        if key == "items" and "grows" in cells:
            self._merge_items(cells, values, varies)
        elif key == "grows":
            self.put(cells, key, frozenset().union(*(v for v in values if v is not MISSING)))
        elif key == "element":
            known = [value for value in values if isinstance(value, Value) and value is not MISSING]
            self.put(cells, key, _joined(known, varies))
        elif False in [isinstance(value, Value) for value in values]:
            self.put(cells, key, [v for v in values if v is not MISSING][-1])  # a count or flag of ours
        elif MISSING in values and REST in cells:
            self.put(cells, REST, _joined([cells[REST], *values], varies))
            self.doubt(cells, key)
        else:
            joined = _joined(values, varies)
            if joined is None:
                self.remove(cells, key)
            else:
                self.put(cells, key, joined)
                if MISSING in values:
                    self.doubt(cells, key)

    def doubt(self, cells: Cells, *keys: Any) -> None:
        """A dict may have lost these keys, or may never have got them."""
        if isinstance(cells, Entries):
            cells.perhaps.update(keys)

    def _merge_items(self, cells: Cells, values: list[Any], varies: frozenset[LoopRun]) -> None:
        values = [value for value in values if value is not MISSING]
        if None not in values and len({len(value) for value in values}) == 1:
            joined = list(values[0])
            for value in values[1:]:
                joined = [join(a, b, varies) for a, b in zip(joined, value, strict=True)]
            self.put(cells, "items", tuple(joined))
            return
        found = [item for value in values if value is not None for item in value]
        if cells.get("element") is not None:
            found.append(cells["element"])
        self.put(cells, "items", None)
        self.put(cells, "element", _joined(found, varies))
        if varies:
            self.put(cells, "grows", cells["grows"] | varies)


def _joined(values: list[Value], varies: frozenset[LoopRun]) -> Value | None:
    result: Value = MISSING
    for value in values:
        result = join(result, value, varies)
    return None if result is MISSING else result


def forget_length(heap: Heap, sequence: Sequence, extra: Value | None, loops: frozenset[LoopRun]) -> None:
    """Keep of a sequence only what its elements have in common, and that its length changes with loops."""
    known = [element_of(sequence)] if sequence.items != () else []
    if extra is not None:
        known.append(extra)
    heap.put(sequence.cells, "element", _joined(known, NOTHING))
    heap.put(sequence.cells, "items", None)
    heap.put(sequence.cells, "grows", sequence.grows | loops)


def forget_items(heap: Heap, holder: Value) -> None:
    """Somebody has changed a list or dict, and it is unknown how: keep nothing of what it held."""
    if isinstance(holder, Sequence) and holder.kind not in FIXED:
        heap.put(holder.cells, "element", UNKNOWN)
        heap.put(holder.cells, "items", None)
    elif isinstance(holder, Dictionary):
        heap.doubt(holder.cells, *holder.entries)
        for key in holder.entries:
            heap.put(holder.cells, key, UNKNOWN)
            heap.doubt(holder.cells, key)
        heap.put(holder.cells, REST, UNKNOWN)
