"""What a growing process holds more and more of: graphs, models, and containers of tensors or arrays."""

import collections
import gc
import sys
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.observer.timing import tensorflow_internals as internals
from graphdoctor.recording.format import Holding

# So many bytes more, and a look is worth its cost; it may take this part of the time since the last one.
WORTH_A_LOOK, MOST_COST = 2**25, 0.02
LEAST_HELD = 20
CONTAINERS = (list, dict, collections.deque, set)
NAMES: dict[type, str] = {collections.deque: "deque"}


class Holdings:
    """Looks through the objects that Python's collector knows while memory grows; it keeps none of them."""

    def __init__(self, clock: Callable[[], float], cost: Callable[[], float] = time.thread_time) -> None:
        self._clock, self._cost = clock, cost
        self._bytes: int | None = None
        self._not_before = 0.0
        self._sizes: dict[int, int] | None = None

    def look(self, resident: int, start: float) -> list[Holding]:
        """What is held, where memory has grown enough since the last look."""
        if self._bytes is None:
            self._bytes = resident
        if resident - self._bytes < WORTH_A_LOOK or self._clock() < self._not_before:
            return []
        self._bytes, begun = resident, self._cost()
        found = list(self._count(start))
        self._not_before = self._clock() + (self._cost() - begun) / MOST_COST
        return found

    def _count(self, start: float) -> Iterator[Holding]:
        graphs = models = 0
        sizes: dict[int, int] = {}
        largest, most = None, 0
        is_graph, is_model = internals.kinds_held()
        objects = gc.get_objects()
        before = self._sizes or {}
        for one in objects:
            kind = type(one)
            if kind in CONTAINERS:
                if len(one) >= LEAST_HELD and holds_tensors(one):
                    sizes[id(one)] = len(one)
                    grown = len(one) - before.get(id(one), 0)
                    if grown > most:
                        largest, most = one, grown
            elif is_graph(kind):
                graphs += 1
            elif is_model(kind):
                models += 1
        yield Holding(start=start, kind="graphs", count=graphs)
        yield Holding(start=start, kind="models", count=models)
        if largest is not None and self._sizes is not None:
            kind = type(largest)
            name = name_of(largest, objects)
            reported = f"{NAMES.get(kind, kind.__name__)} of tensors"
            earlier = before.get(id(largest), 0)
            yield Holding(start=start, kind=reported, count=len(largest), before=earlier, name=name)
        self._sizes = sizes
        del objects, largest


def holds_tensors(container: Any) -> bool:
    """Whether its first element is, or has as its first part, a tensor or an array."""
    try:
        values = container.values() if type(container) is dict else container
        first = next(iter(values), None)
        if type(first) in (tuple, list) and first:
            first = first[0]
        return internals.is_tensor(first)
    except RuntimeError:  # the program changes it meanwhile
        return False


def name_of(container: Any, around: list[Any]) -> str:
    """The name by which a module of the program holds it; empty where only a frame or an object does."""
    modules = {id(vars(one)): one for one in list(sys.modules.values()) if isinstance(one, types.ModuleType)}
    for holder in gc.get_referrers(container):
        if holder is not around and type(holder) is dict and id(holder) in modules:
            for name, value in list(holder.items()):
                if value is container:
                    return str(name)
    return ""
