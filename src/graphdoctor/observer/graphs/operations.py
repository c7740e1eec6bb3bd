"""Which of the user's lines, and which of his Python loops, the operations of a graph come from."""

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.graphs.repeats import Inputs, Repeats, iterations_by_types
from graphdoctor.observer.probe import Emit, Event, Probe
from graphdoctor.observer.user_code.loops import SourceLoop, loops_of
from graphdoctor.observer.user_code.ownership import is_library
from graphdoctor.recording.format import OWN_WEIGHTS, Frame, Line, Place, Staging

SMALLEST_GRAPH = 200
SHOWN_LINES = 20
MOST_LOOPS = 20
FEWEST_ITERATIONS = 16  # a layer takes each of its variables once, or a few times; so does what updates it


class OperationsProbe(Probe):
    """Adds the lines that made most operations, for graphs that are not small, and for all of Keras'.

    A graph of Keras' is made by a function of its own; these lines tell which code of the user's ran.
    Python loops that made many operations are reported as events of their own, with all that they call.
    """

    def __init__(self, emit: Emit) -> None:
        self._emit = emit

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        operations = graph.get_operations()
        large = len(operations) >= SMALLEST_GRAPH
        if not large and event.get("origin") != "keras":
            return
        places: Counter[tuple[str, int]] = Counter()
        loops = _Loops(len(_own_frames(internals.traceback())))
        for operation in operations:
            frames = _own_frames(operation.traceback)
            if frames:
                places[frames[-1].filename, frames[-1].lineno] += 1
            if large:
                loops.add(frames, operation)
        event["lines"] = tuple(
            Line(path=path, line=line, operations=count)
            for (path, line), count in places.most_common(SHOWN_LINES)
        )
        for reported in loops.reported():
            self._emit(dataclasses.replace(reported, trace=event["number"]))


@dataclasses.dataclass
class _Iterations:
    """What is known of the iterations of one loop, from the operations that they made, in order.

    `questions`: how often gradients were asked for among them.
    """

    loop: SourceLoop
    chain: tuple[Frame, ...]
    outer: "_Iterations | None"
    operations: int = 0
    of_gradients: int = 0
    questions: int = 0
    asking: bool = False
    rounds: int = 1
    last: int = 0
    types: Counter[str] = dataclasses.field(default_factory=Counter)
    inputs: Inputs = dataclasses.field(default_factory=Inputs)

    def add(self, line: int, operation: Any, of_gradient: bool, inputs: Inputs) -> None:
        statement = self.loop.statement(line)
        self.rounds += statement < self.last
        self.last = statement
        self.operations += 1
        self.of_gradients += of_gradient
        self.questions += of_gradient and not self.asking
        self.asking = of_gradient
        self.types[operation.type] += 1
        self.inputs.add(inputs)

    @property
    def all_iterations(self) -> int:
        """How often the body begins again; where it is one statement, how often what it makes comes again."""
        if self.rounds > 1:
            return self.rounds
        return iterations_by_types(self.types)

    @property
    def iterations(self) -> int:
        """The iterations each time that the loop is entered: once per iteration of the loop around it."""
        return round(self.all_iterations / max(1, self.outer.all_iterations if self.outer else 1))

    @property
    def has_own_weights(self) -> bool:
        """Whether each iteration has its own variables, or gradients that not every iteration computes."""
        return self.inputs.are_own(FEWEST_ITERATIONS, gradients=self.questions < FEWEST_ITERATIONS)


class _Loops:
    """The user's loops inside a trace, each with what its iterations made, also in what they call."""

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._of_gradients = 0
        self._repeats = Repeats(depth)
        self._found: dict[object, _Iterations] = {}
        self._around: dict[tuple[tuple[str, int], ...], list[tuple[_Iterations, int]]] = {}

    def add(self, frames: list[Any], operation: Any) -> None:
        """Charge the loops around each of the frames with an operation."""
        way = tuple((frame.filename, frame.lineno) for frame in frames)
        if way not in self._around:
            self._around[way] = list(self._find(frames, way))
        of_gradient = internals.is_of_gradient(operation)
        self._of_gradients += of_gradient
        around = self._around[way]
        if around:
            inputs = _inputs(operation, of_gradient)
            for loop, line in around:
                loop.add(line, operation, of_gradient, inputs)
        elif not of_gradient:
            self._repeats.add(frames, way, operation.type, _inputs(operation, of_gradient))

    def _find(self, frames: list[Any], way: tuple[tuple[str, int], ...]) -> Iterator[tuple[_Iterations, int]]:
        outer: _Iterations | None = None
        for index in range(self._depth, len(frames)):
            path, line = way[index]
            for loop in loops_of(path).get(line, ()):
                key = (loop.place, way[self._depth : index])
                if key not in self._found:
                    *calls, here = _chain(frames[: index + 1])
                    there = dataclasses.replace(here, place=loop.place)
                    self._found[key] = _Iterations(loop, (*calls, there), outer)
                outer = self._found[key]
                yield outer, line

    def reported(self) -> Iterator[Staging]:
        """The loops that made most."""
        yield from self._reported_repeats()
        found = [loop for loop in self._found.values() if loop.operations >= SMALLEST_GRAPH]
        for each in sorted(found, key=lambda loop: -loop.operations)[:MOST_LOOPS]:
            yield Staging(
                chain=each.chain,
                construct=each.loop.construct,
                outcome="python",
                reason=OWN_WEIGHTS if each.has_own_weights else "",
                turns=each.iterations,
                operations=each.operations,
                gradient_operations=self._of_gradients - each.of_gradients,
            )

    def _reported_repeats(self) -> Iterator[Staging]:
        for repeat in self._repeats.reported():
            if repeat.operations >= SMALLEST_GRAPH and repeat.frames:
                yield Staging(
                    chain=_chain(repeat.frames),
                    construct="call",
                    outcome="python",
                    turns=repeat.iterations,
                    operations=repeat.operations,
                    gradient_operations=self._of_gradients,
                )


def _inputs(operation: Any, of_gradient: bool) -> Inputs:
    """The variables that an operation takes; and, if it is not a gradient's itself, the gradients."""
    inputs = Inputs()
    for tensor in operation.inputs:
        if tensor.dtype == "resource":
            inputs.variables[tensor.name] += 1
        elif not of_gradient and internals.is_of_gradient(tensor.op):
            inputs.gradients[tensor.name] += 1
    return inputs


def _chain(frames: list[Any]) -> tuple[Frame, ...]:
    """The frames; those that AutoGraph makes of the bodies of loops and branches are none of their own."""
    chain: list[Frame] = []
    for frame in frames:
        if chain and (chain[-1].function, chain[-1].place.path) == (frame.name, frame.filename):
            chain.pop()
        chain.append(Frame(function=frame.name, place=Place(path=frame.filename, line=frame.lineno)))
    return tuple(chain)


def _own_frames(traceback: Any) -> list[Any]:
    """The frames of the user's own code; TensorFlow has left out its own already."""
    return [frame for frame in traceback.get_user_frames() if not is_library(frame.filename)]
