"""What a growing process holds more and more of: graphs, models, and containers of tensors or arrays."""

import collections
import gc
import itertools
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
CONTAINERS = frozenset({list, dict, collections.deque, set})
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
        before = self._sizes or {}
        for one in tracked():
            kind = type(one)
            if kind in CONTAINERS:
                if len(one) >= LEAST_HELD and holds_tensors(one):
                    sizes[id(one)] = len(one)
                    grown = len(one) - before.get(id(one), 0)
                    if grown > most:
                        largest, most = one, grown
            elif is_graph(one):
                graphs += 1
            elif is_model(one):
                models += 1
        yield Holding(start=start, kind="graphs", count=graphs)
        yield Holding(start=start, kind="models", count=models)
        if largest is not None and self._sizes is not None:
            kind = type(largest)
            name = name_of(largest)
            reported = f"{NAMES.get(kind, kind.__name__)} of tensors"
            earlier = before.get(id(largest), 0)
            yield Holding(start=start, kind=reported, count=len(largest), before=earlier, name=name)
        self._sizes = sizes


def tracked() -> list[Any]:
    """The containers that Python's collector knows, and the class of each other object.

    The collector also knows tuples that C code of another thread is about to fill, and CPython refuses to
    resize a tuple that has a second reference: a SystemError in the program. So `everything` is filled,
    sorted and emptied by one call without a line of Python, during which no other thread runs.
    """
    everything: list[Any] = []
    is_container = CONTAINERS.__contains__
    steps = itertools.chain(
        map(everything.extend, map(gc.get_objects, (None,))),
        itertools.compress(everything, map(is_container, map(type, everything))),
        itertools.filterfalse(is_container, map(type, everything)),
        map(list.clear, (everything,)),
    )
    collects = gc.isenabled()
    gc.disable()  # a finalizer would be Python
    found = list(steps)
    if collects:
        gc.enable()
    return found[1:-1]


def holds_tensors(container: Any) -> bool:
    """Whether one of its elements is, or has as one of its parts, a tensor or an array."""
    try:
        found = element(container)
    except RuntimeError:  # the program changes it meanwhile
        return False
    return internals.is_tensor(element(found) if type(found) in (tuple, list) else found)


def element(container: Any) -> Any:
    """One of its elements: of lists by the collector, since C code may not have filled them yet."""
    if type(container) in (list, tuple):
        return next(iter(gc.get_referents(container)), None)
    return next(iter(container.values() if type(container) is dict else container), None)


def name_of(container: Any) -> str:
    """The name by which a module holds it; empty where only a frame or an object does."""
    for module in list(sys.modules.values()):
        if isinstance(module, types.ModuleType):
            for name, value in list(vars(module).items()):
                if value is container:
                    return str(name)
    return ""
