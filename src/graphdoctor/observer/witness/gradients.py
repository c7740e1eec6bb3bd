"""What gradient tapes gave in eager code; and a step of the sources, for a numerical derivative.

A tape is right about what it recorded. Whether it recorded all that the target depends on shows only when a
source is moved: the target must then change by what the gradient says.
"""

import contextlib
import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

from graphdoctor.observer.tensorflow_internals import executing_eagerly
from graphdoctor.observer.witness import tensorflow_internals as internals
from graphdoctor.observer.witness.values import value_of

FIRST_CALLS = 8
STEP = 1e-3  # of the size of a source


class Gradients:
    """Writes down the first calls of `tape.gradient`; `moved` names the sources to move in which tape.

    `moved` holds `tape` (the number of a tape, in the order in which they were opened), `variables` (numbers,
    in the order in which they were made) and `watched` (numbers, in the order in which that tape was asked to
    watch tensors). All of them are moved along one direction, that the shape of each determines.
    """

    def __init__(self, write: Callable[..., None], variables: Sequence[tuple[str, Any]], moved: Any) -> None:
        self._write = write
        self._variables = variables
        self._moved = moved or {}
        self._scales: dict[int, float] = {}  # by handle or tensor: how far a moved source was moved
        self._tapes: dict[int, int] = {}
        self._watched: dict[int, list[Any]] = {}
        self._opened = 0
        self._calls = 0
        self._stops = False
        self._lines = 0

    def opened(self, tape: Any) -> None:
        """A tape begins to record."""
        with contextlib.suppress(Exception):
            if not executing_eagerly():
                return
            self._opened += 1
            self._tapes[id(tape)] = self._opened
            self._watched[id(tape)] = []
            if self._opened == self._moved.get("tape"):
                for number in self._moved["variables"]:
                    if number < len(self._variables):
                        self._move_variable(number)

    def made(self) -> None:
        """A variable was made, perhaps while the tape recorded whose sources are to be moved."""
        with contextlib.suppress(Exception):
            number = len(self._variables) - 1
            if self._opened >= self._moved.get("tape", math.inf) and number in self._moved["variables"]:
                self._move_variable(number)

    def watched(self, tape: Any, tensors: Any) -> None:
        """A tape is asked to watch something."""
        with contextlib.suppress(Exception):
            if id(tape) not in self._tapes:
                return
            known, opened = self._watched[id(tape)], self._tapes[id(tape)]
            wanted = self._moved["watched"] if opened == self._moved.get("tape") else ()
            for tensor in internals.flatten(tensors):
                known.append(tensor)
                if len(known) - 1 in wanted:
                    array = tensor.numpy()
                    scale = self._scales[id(tensor)] = _scale(array)
                    internals.write_into(tensor, array + _direction(array) * scale * STEP)

    def _move_variable(self, number: int) -> None:
        held = self._variables[number][1]
        array = held.read().numpy()
        scale = self._scales[id(held.handle)] = _scale(array)
        held.add((_direction(array) * scale * STEP).astype(array.dtype))

    def stopped(self) -> None:
        """The program stops gradients on purpose, or states its own: no numerical derivative equals them."""
        self._stops = True

    def printed(self, lines: int) -> None:
        """So many lines more were printed."""
        self._lines += lines

    def gave(self, tape: Any, target: Any, sources: Any, result: Any) -> None:
        """A tape gave gradients, or None for each source that it found no path to."""
        with contextlib.suppress(Exception):
            if id(tape) not in self._tapes or not executing_eagerly() or self._calls >= FIRST_CALLS:
                return
            self._calls += 1
            flat = internals.flatten_sources(sources)
            pairs = list(zip(flat, internals.flatten_sources(result), strict=True))
            described = [self._described(tape, source, gradient) for source, gradient in pairs]
            targets = [one.numpy().astype("float64") for one in internals.flatten(target)]
            self._write(
                kind="gradient",
                number=self._calls,
                gradient={
                    "tape": self._tapes[id(tape)],
                    "target": float(sum(one.sum() for one in targets)),
                    "size": float(sum(abs(one).sum() for one in targets)),
                    "sources": described,
                    "step": STEP,
                    "stops": self._stops,
                    "lines": self._lines,
                },
            )

    def _described(self, tape: Any, source: Any, gradient: Any) -> dict[str, Any]:
        handle = getattr(source, "handle", None)
        numbers = [n for n, (_, held) in enumerate(self._variables) if held.handle is handle]
        watched = [n for n, one in enumerate(self._watched[id(tape)]) if one is source]
        array = source.numpy()
        found: dict[str, Any] = {
            "variable": numbers[0] if numbers and handle is not None else None,
            "watched": watched[0] if watched else None,
            "value": value_of(array),
        }
        if gradient is None:
            return found
        dense = internals.dense(gradient).numpy().astype("float64")
        scale = self._scales.get(id(source if handle is None else handle)) or _scale(array)
        along = dense * _direction(array) * scale
        norm = float((along**2).sum() ** 0.5)
        return {**found, "gradient": value_of(dense), "slope": float(along.sum()), "norm": norm}


def _scale(array: Any) -> float:
    return float(abs(array.astype("float64")).mean()) or 1.0


def _direction(array: Any) -> Any:
    """One or minus one for each element: the same for all arrays of a shape."""
    return sys.modules["numpy"].random.RandomState(1).choice((-1.0, 1.0), size=array.shape)
