"""A finished graph → its operations, with the lines of the user's code that made each."""

import dataclasses
from collections.abc import Iterator
from typing import Any

from graphdoctor.autograph import tensorflow_internals as internals
from graphdoctor.autograph.places import SourceLine, is_users
from graphdoctor.autograph.statements import first_line

# What carries values into and out of a graph; no line of the user's asks for it.
PLUMBING = frozenset({"Placeholder", "Identity", "IdentityN", "NoOp"})


@dataclasses.dataclass(frozen=True)
class Operation:
    """One operation; `frames` are the user's lines, outermost first, `inside` the path of nested graphs."""

    name: str
    type: str
    frames: tuple[SourceLine, ...]
    inside: tuple[str, ...]
    inputs: tuple[str, ...]
    output: str

    @property
    def is_plumbing(self) -> bool:
        """Whether it only carries a value into or out of a graph."""
        return self.type in PLUMBING


def operations_of(graph: Any, root: str | None = None) -> tuple[Operation, ...]:
    """All operations of a graph and of the graphs inside it; `root` is a file that counts as the user's."""
    return operations_of_all([graph], root)


def operations_of_all(graphs: list[Any], root: str | None = None) -> tuple[Operation, ...]:
    """The operations of several graphs; one that is inside another counts once."""
    done: set[int] = set()
    return tuple(
        operation
        for graph in graphs
        if id(graph) not in done
        for operation in _walk(graph, (), (), root, done)
    )


def _walk(
    graph: Any, inside: tuple[str, ...], outer: tuple[SourceLine, ...], root: str | None, done: set[int]
) -> Iterator[Operation]:
    done.add(id(graph))
    for operation in graph.get_operations():
        frames = _frames(operation, root) or outer
        yield Operation(
            name="/".join((*inside, operation.name)),
            type=operation.type,
            frames=frames,
            inside=inside,
            inputs=tuple("/".join((*inside, source.op.name)) for source in operation.inputs),
            output=_output(operation),
        )
        for role, inner in internals.nested_graphs(graph, operation):
            yield from _walk(inner, (*inside, f"{operation.name}.{role}"), frames, root, done)


def _frames(operation: Any, root: str | None) -> tuple[SourceLine, ...]:
    """Operations that TensorFlow copied from another graph carry no traceback."""
    frames = operation.traceback or ()
    return tuple(
        (frame.filename, first_line(frame.filename, frame.lineno))
        for frame in frames
        if frame.filename == root or is_users(frame.filename)
    )


def _output(operation: Any) -> str:
    from graphdoctor.autograph.values import spec_text

    return ", ".join(spec_text(output) for output in operation.outputs[:3])
