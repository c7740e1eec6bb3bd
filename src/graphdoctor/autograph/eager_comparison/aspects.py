"""What calls in both modes left behind → what is equal and what differs, aspect by aspect."""

from collections.abc import Iterator
from typing import Any

import msgspec

from graphdoctor.autograph.eager_comparison.both_modes import CALLS, Run
from graphdoctor.model.words import shortened

TOLERANCE = {"rtol": 1e-4, "atol": 1e-5}
LONGEST_VALUE = 60


class Aspect(msgspec.Struct, frozen=True):
    """One thing that was compared: `equal` is None where it could not be."""

    name: str
    equal: bool | None
    text: str


def aspects_of(eager: Run, graph: Run) -> Iterator[Aspect]:
    if eager.error is not None or graph.error is not None:
        same = eager.error is not None and graph.error is not None
        text = f"eager {eager.error or 'runs'}; graph {graph.error or 'runs'}"
        yield Aspect("error", same, text)
        return
    random_text, outputs_comparable = _randomness(eager, graph)
    yield _outputs(eager, graph) if outputs_comparable else Aspect("outputs", None, "random, see below")
    if outputs_comparable:
        yield _mapping("gradients", eager.gradients, graph.gradients)
        yield _mapping("variables", eager.variables, graph.variables)
    yield _side_effects(eager, graph)
    yield random_text


def _varies(run: Run) -> bool:
    return any(
        _difference(first, run.outputs[0][path]) for later in run.outputs[1:] for path, first in later.items()
    )


def _randomness(eager: Run, graph: Run) -> tuple[Aspect, bool]:
    """Whether equal calls give equal results in each mode, and whether results can then be compared."""
    varies = _varies(eager), _varies(graph)
    if varies == (True, True):
        text = "new at each call in both; eager and graph draw from different streams, so not compared"
        return Aspect("random numbers", None, text), False
    if varies == (True, False):
        return Aspect(
            "random numbers", False, "new at each call eagerly, the same for ever in the graph"
        ), True
    if varies == (False, True):
        return Aspect("random numbers", False, "the same at each call eagerly, new in the graph"), True
    return Aspect("random numbers", True, "none: equal calls give equal results"), True


def _outputs(eager: Run, graph: Run) -> Aspect:
    for number, (first, second) in enumerate(zip(eager.outputs, graph.outputs, strict=True), start=1):
        if len(first) != len(second):
            return Aspect("outputs", False, f"call {number}: eager gives {len(first)}, graph {len(second)}")
        for path, value in first.items():
            difference = _difference(value, second[path])
            if difference:
                return Aspect("outputs", False, f"call {number}, {path}: {difference}")
    return Aspect("outputs", True, f"equal in {CALLS} calls")


def _mapping(name: str, eager: dict[str, Any], graph: dict[str, Any]) -> Aspect:
    for path, value in eager.items():
        difference = _difference(value, graph.get(path))
        if difference:
            return Aspect(name, False, f"{path}: {difference}")
    return Aspect(name, True, f"equal ({len(eager)} compared)" if eager else "none to compare")


def _difference(eager: Any, graph: Any) -> str:
    """How two leaves differ, or nothing."""
    import numpy as np

    if eager is None or graph is None:
        return "" if eager is graph else f"eager {_short(eager)}, graph {_short(graph)}"
    first, second = np.asarray(eager), np.asarray(graph)
    if first.shape != second.shape:
        return f"eager has shape {list(first.shape)}, graph {list(second.shape)}"
    if first.dtype.kind in "fciub" and second.dtype.kind in "fciub":
        if np.allclose(first, second, equal_nan=True, **TOLERANCE):
            return ""
        index = np.unravel_index(
            int(np.argmax(~np.isclose(first, second, equal_nan=True, **TOLERANCE))), first.shape
        )
        at = f" at {list(map(int, index))}" if index else ""
        return f"eager {first[index]:.6g}, graph {second[index]:.6g}{at}"
    return "" if np.array_equal(first, second) else f"eager {_short(eager)}, graph {_short(graph)}"


def _short(value: Any) -> str:
    if hasattr(value, "shape") and getattr(value, "size", 1) > 1:
        return f"a tensor {list(value.shape)}"
    return shortened(str(value), LONGEST_VALUE)


def _side_effects(eager: Run, graph: Run) -> Aspect:
    parts = []
    lines = len(eager.printed.splitlines()), len(graph.printed.splitlines())
    if lines[0] != lines[1]:
        parts.append(f"`print` wrote {lines[0]} lines eagerly, {lines[1]} as a graph")
    for name in dict.fromkeys([*eager.state, *graph.state]):
        changes = eager.state.get(name, "unchanged"), graph.state.get(name, "unchanged")
        if changes[0] != changes[1]:
            parts.append(f"`{name}`: {changes[0]} eagerly, {changes[1]} as a graph")
    if parts:
        return Aspect("side effects", False, f"in {CALLS} calls " + "; ".join(parts))
    return Aspect("side effects", True, "none, or the same")


def changed_names(eager: Run, graph: Run) -> set[str]:
    """The names of what calls changed beside their results."""
    printed = {"print"} if eager.printed != graph.printed else set()
    return {*eager.state, *graph.state, *printed}
