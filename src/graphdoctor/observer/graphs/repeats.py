"""Which of the user's lines run one piece of code over and over while tracing, without a loop of theirs.

`functools.reduce`, `map`, a function that calls itself, and a library that writes its own loop out.
"""

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import Any

Way = tuple[tuple[str, int], ...]

FEWEST_ITERATIONS = 50
SETTINGS = 4  # variables that an optimizer reads for each of those that it updates: its rate, its steps
RARE = 16  # what is so much rarer than the rest is not made in each iteration


@dataclasses.dataclass
class Inputs:
    """How often operations take each variable, and each gradient."""

    variables: Counter[str] = dataclasses.field(default_factory=Counter)
    gradients: Counter[str] = dataclasses.field(default_factory=Counter)

    def add(self, other: "Inputs") -> None:
        """Count what others take, too."""
        self.variables.update(other.variables)
        self.gradients.update(other.gradients)

    def are_own(self, iterations: int, *, gradients: bool = True) -> bool:
        """Whether each iteration takes variables of its own, or their gradients: it goes through a model."""
        taken = self.variables + self.gradients if gradients else self.variables
        shared = sum(count >= iterations for count in taken.values())
        return bool(taken) and shared * iterations <= SETTINGS * len(taken)


@dataclasses.dataclass
class Repeat:
    """What lines below one line made, again and again; `frames` are an example of the way to that line."""

    frames: list[Any]
    operations: int = 0
    iterations: int = 0


@dataclasses.dataclass
class _Line:
    frames: list[Any]
    way: Way
    types: Counter[str] = dataclasses.field(default_factory=Counter)
    inputs: Inputs = dataclasses.field(default_factory=Inputs)

    @property
    def iterations(self) -> int:
        """How often what it makes comes again; where it takes variables, how often the same."""
        if self.inputs.are_own(FEWEST_ITERATIONS):
            return 0
        return max(self.inputs.variables.values(), default=iterations_by_types(self.types))


@dataclasses.dataclass
class _Below:
    """What a line calls, in order: how often an earlier line of it comes again."""

    last: int = 0
    rounds: int = 1


class Repeats:
    """Operations that no loop of the user's made, by the lines that they come from."""

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._lines: dict[Way, _Line] = {}
        self._ways: dict[Way, tuple[_Line, list[tuple[_Below, int]]]] = {}
        self._below: dict[Way, _Below] = {}

    def add(self, frames: list[Any], way: Way, kind: str, inputs: Inputs) -> None:
        """Charge a line with an operation."""
        if way not in self._ways:
            self._ways[way] = self._find(frames, way)
        line, around = self._ways[way]
        line.types[kind] += 1
        line.inputs.add(inputs)
        for below, number in around:
            below.rounds += number < below.last
            below.last = number

    def _find(self, frames: list[Any], way: Way) -> tuple[_Line, list[tuple[_Below, int]]]:
        short = without_recursion(frames[self._depth :])
        line = self._lines.setdefault(short, _Line(frames, short))
        around = [
            (self._below.setdefault(short[:index], _Below()), short[index][1])
            for index in range(1, len(short))
        ]
        return line, around

    def reported(self) -> Iterator[Repeat]:
        """The lines from which much was made over and over."""
        found: dict[Way, Repeat] = {}
        for line in self._lines.values():
            if (iterations := line.iterations) >= FEWEST_ITERATIONS:
                origin = self._origin(line.way)
                frames = _frames_to(line.frames, origin, self._depth)
                repeat = found.setdefault(origin, Repeat(frames))
                repeat.operations += sum(line.types.values())
                repeat.iterations = max(repeat.iterations, iterations)
        yield from found.values()

    def _origin(self, way: Way) -> Way:
        """The innermost line whose callee begins again; a line itself where nothing tells."""
        for end in range(len(way) - 1, 0, -1):
            if self._below[way[:end]].rounds >= FEWEST_ITERATIONS:
                return way[:end]
        return way


def iterations_by_types(types: Counter[str]) -> int:
    """How often a piece of code ran, by the kinds of the operations that it made."""
    most = max(types.values(), default=0)
    return min((count for count in types.values() if RARE * count >= most), default=0)


def without_recursion(frames: list[Any]) -> Way:
    """The lines of the frames without their rounds: one that comes again is where it came first.

    Of frames of one function that follow each other the last counts: AutoGraph makes some of the bodies of
    branches, others call themselves.
    """
    short: list[Any] = []
    for frame in frames:
        again = [known.name == frame.name and known.filename == frame.filename for known in short]
        if True in again:
            del short[again.index(True) :]
        short.append(frame)
    return tuple((frame.filename, frame.lineno) for frame in short)


def _frames_to(frames: list[Any], origin: Way, depth: int) -> list[Any]:
    """The frames to a line, each once; where nothing of the user's is inside, those to the trace."""
    known = {(frame.filename, frame.lineno): frame for frame in frames[depth:]}
    return [*frames[:depth], *(known[place] for place in origin)]
