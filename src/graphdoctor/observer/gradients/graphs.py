"""A graph, finished or under way → the operations in it, with called functions and loops written out."""

import functools
import itertools
import sys
from collections.abc import Iterator
from typing import Any

from graphdoctor.observer.gradients import tensorflow_internals as internals
from graphdoctor.observer.gradients.operations import CUSTOM, Key, Operation, Record
from graphdoctor.observer.gradients.places import place_in_graph

CALLS = {"PartitionedCall", "StatefulPartitionedCall"}
CONDITIONS = {"If", "StatelessIf", "Case", "StatelessCase"}
LOOPS = {"While", "StatelessWhile"}
INSIDES = {
    **dict.fromkeys(CALLS, ("f",)),
    **dict.fromkeys(CONDITIONS, ("then_branch", "else_branch", "branches")),
    **dict.fromkeys(LOOPS, ("body",)),
}
STAND_INS = {"Placeholder", "Const"}  # small tensors from outside are copied in as constants
DEEPEST = 12


class GraphReader:
    """Adds graphs to a record."""

    def __init__(self, record: Record, until: int = sys.maxsize) -> None:
        self.record = record
        self._until = until  # the number of the target: later operations are of its gradient
        self._calls = itertools.count(1)
        self._read: set[int] = set()

    def read(self, graph: Any) -> None:
        """Add a graph, and the graphs around it that it takes tensors from."""
        while graph is not None and internals.is_function_graph(graph) and id(graph) not in self._read:
            self._read.add(id(graph))
            for outer, inner in internals.captures(graph):
                self._join((internals.number(outer),), (internals.number(inner),), internals.number(inner))
                self.record.dtypes[internals.number(outer)] = outer.dtype.name
            self._operations(graph, None, 0, 0)
            graph = graph.outer_graph

    def read_call(
        self, graph: Any, inputs: tuple[Key, ...], outputs: tuple[Key, ...], order: int, call: Key
    ) -> None:
        """Add the inside of a function that eager code called; `call` names this call."""
        self._enter(graph, call, inputs, order, 1)
        self._leave([graph], [call], outputs, order)

    def _operations(self, graph: Any, call: Key, order: int, depth: int) -> None:
        for operation in graph.get_operations():
            # The first output: for its gradient, TensorFlow adds outputs to a loop after the tape was closed.
            number = order or min((internals.number(t) for t in operation.outputs), default=0)
            if number > self._until:
                continue
            outputs = tuple(_key(call, tensor) for tensor in operation.outputs)
            inputs = tuple(_key(call, tensor) for tensor in operation.inputs)
            if operation.type in STAND_INS and outputs and outputs[0] in self.record.producers:
                continue  # joined to what it stands for
            if depth < DEEPEST and self._write_out(operation, graph, call, inputs, outputs, number, depth):
                continue
            custom = internals.has_custom_gradient(operation)
            self.record.add(
                Operation(
                    CUSTOM if custom else operation.type,
                    inputs,
                    outputs,
                    number,
                    functools.partial(place_in_graph, operation),
                    custom=custom,
                ),
                _dtypes(call, operation),
            )

    def _write_out(
        self,
        operation: Any,
        graph: Any,
        call: Key,
        inputs: tuple[Key, ...],
        outputs: tuple[Key, ...],
        order: int,
        depth: int,
    ) -> bool:
        """Put what a call, condition or loop does in its place; False when it is none, or unknown.

        A loop is taken to go round at least once.
        """
        names = INSIDES.get(operation.type, ())
        given = inputs[1:] if operation.type in CONDITIONS else inputs
        insides = [found for name in names for found in internals.functions_of(operation, name, graph)]
        if not insides:
            return False
        self.record.dtypes.update(_dtypes(call, operation))
        numbers: list[Key] = [(call, next(self._calls)) for _ in insides]
        for inside, number in zip(insides, numbers, strict=True):
            self._enter(inside, number, given, order, depth + 1)
        condition = inputs[:1] if operation.type in CONDITIONS else ()
        self._leave(insides, numbers, outputs, order, condition)
        if operation.type in LOOPS:
            self._repeat(insides[0], numbers[0], given, order)
        return True

    def _enter(self, graph: Any, call: Key, given: tuple[Key, ...], order: int, depth: int) -> None:
        for outer, parameter in zip(given, graph.inputs, strict=False):
            self._join((outer,), (_key(call, parameter),), order)
            self.record.dtypes[_key(call, parameter)] = parameter.dtype.name
        self._operations(graph, call, order, depth)

    def _leave(
        self,
        graphs: list[Any],
        calls: list[Key],
        outputs: tuple[Key, ...],
        order: int,
        condition: tuple[Key, ...] = (),
    ) -> None:
        results = [
            [_key(call, tensor) for tensor in graph.outputs]
            for graph, call in zip(graphs, calls, strict=True)
        ]
        for index, output in enumerate(outputs):
            made = tuple(result[index] for result in results if index < len(result))
            self._join((*made, *condition), (output,), order)

    def _repeat(self, graph: Any, call: Key, given: tuple[Key, ...], order: int) -> None:
        """What one iteration of a loop gives is what the next one takes."""
        for outer, parameter, result in zip(given, graph.inputs, graph.outputs, strict=False):
            self._join((outer, _key(call, result)), (_key(call, parameter),), order)

    def _join(self, inputs: tuple[Key, ...], outputs: tuple[Key, ...], order: int) -> None:
        self.record.add(Operation("", inputs, outputs, order, None, hidden=True), iter(()))


def contains_loop(graph: Any, depth: int = 0) -> bool:
    """Whether TensorFlow runs a loop in a graph, or in a function that the graph calls."""
    operations = graph.get_operations()
    if any(operation.type in LOOPS for operation in operations):
        return True
    return depth < DEEPEST and any(
        contains_loop(inside, depth + 1)
        for operation in operations
        for name in INSIDES.get(operation.type, ())
        for inside in internals.functions_of(operation, name, graph)
    )


def write_out_calls(record: Record) -> Record:
    """The record, with the insides of the traced functions that eager code called, where they still live."""
    reader = GraphReader(record)
    calls, record.calls = record.calls, []
    for operation, reference in calls:
        graph = reference()
        if graph is not None:
            call = ("call", operation.order)
            reader.read_call(graph, operation.inputs, operation.outputs, operation.order, call)
    return record


def _key(call: Key, tensor: Any) -> Key:
    number = internals.number(tensor)
    return number if call is None else (call, number)


def _dtypes(call: Key, operation: Any) -> Iterator[tuple[Key, str]]:
    for tensor in (*operation.inputs, *operation.outputs):
        yield _key(call, tensor), tensor.dtype.name
