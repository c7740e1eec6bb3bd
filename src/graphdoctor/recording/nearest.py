"""Finds the closest among many earlier traces, fast: a run may hold a hundred thousand."""

import operator
from collections.abc import Iterable
from typing import NamedTuple

from graphdoctor.model import Change, Difference
from graphdoctor.recording.differences import CONTAINERS, compare
from graphdoctor.recording.format import Argument, Trace

# So many of the latest traces are looked at. The more there are, the fewer, so that the work grows
# with their number and not with its square.
HORIZON = 256
SHORTEST_HORIZON = 8

Distance = tuple[int, ...]
ORDER = {change: place for place, change in enumerate(Change)}
# Looked up here, once: the hash of an enum's member is slow Python.
NEW_OBJECT, VALUE, IDENTITY = (
    ORDER[change] for change in (Change.NEW_FUNCTION_OBJECT, Change.PYTHON_VALUE, Change.OBJECT_IDENTITY)
)
DTYPE, RANK, SHAPE = (ORDER[change] for change in (Change.DTYPE, Change.RANK, Change.SHAPE))
KINDS = len(ORDER)
# One axis of one shape, or nothing at all: no other trace can be closer.
FINEST: Distance = (*(0 for _ in ORDER.keys() - {Change.SHAPE}), 1)


class _Key(NamedTuple):
    """What is compared; equal parts are one and the same object, so that `is` decides."""

    trace: Trace
    context: tuple[tuple[str, str], ...]
    paths: tuple[str, ...]
    arguments: tuple[Argument, ...]


class Nearest:
    """Earlier traces of one function, by the Function object they belong to."""

    def __init__(self) -> None:
        self._parts: dict[object, object] = {}
        self._all: list[_Key] = []
        self._by_object: dict[int, list[_Key]] = {}

    def add(self, trace: Trace) -> None:
        """Remember an earlier trace."""
        key = self._key(trace)
        self._all.append(key)
        self._by_object.setdefault(trace.object, []).append(key)

    def closest(self, now: Trace) -> tuple[Trace | None, tuple[Difference, ...]]:
        """The earlier trace that differs least and finest, the latest among equals, and the differences.

        Traces of the same Function object are preferred, however much they differ.
        """
        earlier = self._by_object.get(now.object) or self._all
        key = self._key(now)
        best: _Key | None = None
        least: Distance = ()
        for before in reversed(earlier[-horizon(len(earlier)) :]):
            found = distance(key, before)
            if best is None or found < least:
                best, least = before, found
                if least <= FINEST:
                    break
        return (best.trace, compare(now, best.trace)) if best else (None, ())

    def _key(self, trace: Trace) -> _Key:
        context = tuple(sorted(trace.context.items()))
        paths = tuple(argument.path for argument in trace.arguments)
        return _Key(
            trace,
            self._parts.setdefault(context, context),  # type: ignore[arg-type]
            self._parts.setdefault(paths, paths),  # type: ignore[arg-type]
            tuple(self._parts.setdefault(a, a) for a in trace.arguments),  # type: ignore[misc]
        )


def closest(now: Trace, earlier: Iterable[Trace]) -> tuple[Trace | None, tuple[Difference, ...]]:
    """The closest of some earlier traces, and all differences to it."""
    nearest = Nearest()
    for trace in earlier:
        nearest.add(trace)
    return nearest.closest(now)


def horizon(traces: int) -> int:
    """How many of so many traces are looked at."""
    return max(SHORTEST_HORIZON, min(HORIZON, HORIZON * HORIZON // max(1, traces)))


def distance(now: _Key, before: _Key) -> Distance:
    """How many differences of each kind `compare` would find, coarse kinds first."""
    counts = [0] * KINDS
    if now.trace.object != before.trace.object:
        counts[NEW_OBJECT] = 1
    if now.context is not before.context or now.paths is not before.paths:
        return _thorough_distance(now, before)
    for is_now, was in zip(now.arguments, before.arguments, strict=True):
        differ = is_now is not was or (is_now.identity == 0 and is_now.kind == "object")
        if differ and not _count(counts, is_now, was):
            return _thorough_distance(now, before)
    return tuple(counts)


def _count(counts: list[int], now: Argument, before: Argument) -> bool:
    """Count the differences of two arguments; False when that takes a thorough look."""
    if now.kind != before.kind or now.kind in CONTAINERS:
        return False
    if now.kind == "value":
        counts[VALUE] += 1
    elif now.kind == "object":
        counts[IDENTITY] += now.identity != before.identity or now.identity == 0
    elif now.kind == "tensor" and now.type == before.type:
        counts[DTYPE] += now.dtype != before.dtype
        if now.shape is None or before.shape is None or len(now.shape) != len(before.shape):
            counts[RANK] += now.shape != before.shape
        else:
            counts[SHAPE] += sum(map(operator.ne, now.shape, before.shape))
    else:
        return False
    return True


def _thorough_distance(now: _Key, before: _Key) -> Distance:
    counts = [0] * KINDS
    for difference in compare(now.trace, before.trace):
        counts[ORDER[difference.change]] += 1
    return tuple(counts)
