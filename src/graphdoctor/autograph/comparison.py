"""A function run eagerly and as a graph on the same inputs: outputs, gradients, side effects, time."""

import contextlib
import io
import random
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from graphdoctor.autograph import tensorflow_internals as internals
from graphdoctor.autograph.explaining import explain_trace
from graphdoctor.autograph.facts import Explanation
from graphdoctor.autograph.sampling import concrete_values
from graphdoctor.autograph.state import PythonState, Variables
from graphdoctor.autograph.suspects import suspect_rules
from graphdoctor.autograph.tracing import Traced, entry
from graphdoctor.autograph.values import spec_text

CALLS = 3
ROUNDS = 15
TOLERANCE = {"rtol": 1e-4, "atol": 1e-5}


class Aspect(msgspec.Struct, frozen=True):
    """One thing that was compared: `equal` is None where it could not be."""

    name: str
    equal: bool | None
    text: str


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """What running a function both ways showed."""

    explanation: Explanation
    aspects: tuple[Aspect, ...]
    rules: tuple[str, ...]
    operations: int
    eager_seconds: float | None = None
    graph_seconds: float | None = None

    @property
    def equal(self) -> bool:
        """Whether nothing was found to differ."""
        return all(aspect.equal is not False for aspect in self.aspects)


class _Run(msgspec.Struct, kw_only=True):
    """What some calls in one mode left behind."""

    outputs: list[dict[str, Any]] = []
    printed: str = ""
    state: dict[str, str] = {}
    variables: dict[str, Any] = {}
    gradients: dict[str, Any] = {}
    error: str | None = None


def compare_trace(traced: Traced, timed: bool = True) -> Comparison:
    """Run the traced function in both modes; what it changes is put back."""
    import tensorflow as tf

    args, kwargs = concrete_values(_arguments(traced))
    plain = entry(traced.function, traced.function)
    graph = tf.function(plain, **{**internals.options_of(traced.graph_function), "input_signature": None})
    variables = Variables(tuple(traced.concrete.graph.variables) if traced.concrete is not None else ())
    eager_run = _run(lambda: _eagerly(plain, args, kwargs), traced, args, kwargs, variables)
    graph_run = _run(lambda: graph(*args, **kwargs), traced, args, kwargs, variables)
    aspects = tuple(_aspects(eager_run, graph_run))
    seconds: tuple[float | None, float | None] = (None, None)
    if timed and eager_run.error is None and graph_run.error is None:
        seconds = _time(
            lambda: _eagerly(plain, args, kwargs), lambda: graph(*args, **kwargs), traced, variables
        )
    differing = [aspect.name for aspect in aspects if aspect.equal is False]
    return Comparison(
        explanation=explain_trace(traced),
        aspects=aspects,
        rules=suspect_rules(traced, differing, _changed(eager_run, graph_run)),
        operations=sum(not operation.is_plumbing for operation in traced.operations),
        eager_seconds=seconds[0],
        graph_seconds=seconds[1],
    )


def _changed(eager: _Run, graph: _Run) -> set[str]:
    """The names of what calls changed beside their results."""
    printed = {"print"} if eager.printed != graph.printed else set()
    return {*eager.state, *graph.state, *printed}


def _arguments(traced: Traced) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if not traced.args and not traced.kwargs and traced.graph_function.input_signature:
        return tuple(traced.graph_function.input_signature), {}
    return traced.args, traced.kwargs


def _eagerly(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call with every `tf.function` switched to eager, as a debugging user would."""
    import tensorflow as tf

    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    try:
        return function(*args, **kwargs)
    finally:
        tf.config.run_functions_eagerly(before)


def _run(call: Callable[[], Any], traced: Traced, args: Any, kwargs: Any, variables: Variables) -> _Run:
    run = _Run(outputs=[])
    state = PythonState(traced.function)
    _seed()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), _quiet_autograph():
        try:
            for _ in range(CALLS):
                variables.restore()
                run.outputs.append(_flatten(call()))
            run.variables = variables.values()
            run.state = state.changes()
            run.printed = printed.getvalue()
            variables.restore()
            run.gradients = _gradients(call, args, kwargs, variables)
        except Exception as error:  # the user's code may raise anything; that is a result
            run.error = f"{type(error).__name__}: {_first_line(error)}"
        finally:
            variables.restore()
            state.restore()
    return run


@contextlib.contextmanager
def _quiet_autograph() -> Iterator[None]:
    """Without AutoGraph's warnings: the explanation says the same, better."""
    import logging

    logger = logging.getLogger("tensorflow")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)


def _seed() -> None:
    import numpy as np
    import tensorflow as tf

    random.seed(0)
    np.random.seed(0)
    tf.random.set_seed(0)


def _first_line(error: BaseException) -> str:
    from graphdoctor.autograph.notes import first_sentence

    return first_sentence(error)


def _flatten(result: Any) -> dict[str, Any]:
    """Every leaf of a result as an array or Python value, by its path."""
    import tensorflow as tf

    leaves = tf.nest.flatten(result)
    paths = ["the result"] if len(leaves) == 1 else [f"output {number}" for number in range(len(leaves))]
    return {
        path: leaf.numpy() if hasattr(leaf, "numpy") else leaf
        for path, leaf in zip(paths, leaves, strict=True)
    }


def _gradients(call: Callable[[], Any], args: Any, kwargs: Any, variables: Variables) -> dict[str, Any]:
    """The gradient of the sum of all floating outputs, with respect to arguments and Variables."""
    import tensorflow as tf

    sources = [
        leaf for leaf in tf.nest.flatten((args, kwargs)) if tf.is_tensor(leaf) and leaf.dtype.is_floating
    ]
    trainable = [variable for variable in variables.variables if variable.trainable]
    with tf.GradientTape() as tape:
        for source in sources:
            tape.watch(source)
        leaves = [leaf for leaf in tf.nest.flatten(call()) if tf.is_tensor(leaf) and leaf.dtype.is_floating]
        total = sum((tf.reduce_sum(tf.cast(leaf, tf.float32)) for leaf in leaves), tf.constant(0.0))
    found = tape.gradient(total, [*sources, *trainable])
    names = [f"argument {spec_text(source)}" for source in sources] + [
        variable.name for variable in trainable
    ]
    return {
        f"{name} #{number}": None if gradient is None else tf.convert_to_tensor(gradient).numpy()
        for number, (name, gradient) in enumerate(zip(names, found, strict=True))
    }


def _aspects(eager: _Run, graph: _Run) -> Iterator[Aspect]:
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


def _varies(run: _Run) -> bool:
    return any(
        _difference(first, run.outputs[0][path]) for later in run.outputs[1:] for path, first in later.items()
    )


def _randomness(eager: _Run, graph: _Run) -> tuple[Aspect, bool]:
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


def _outputs(eager: _Run, graph: _Run) -> Aspect:
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
    text = str(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _side_effects(eager: _Run, graph: _Run) -> Aspect:
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


def _time(
    eager: Callable[[], Any], graph: Callable[[], Any], traced: Traced, variables: Variables
) -> tuple[float, float]:
    """Medians of alternating calls, after a warm-up; what the calls print or change is dropped."""
    times: tuple[list[float], list[float]] = ([], [])
    state = PythonState(traced.function)
    with contextlib.redirect_stdout(io.StringIO()), _quiet_autograph():
        for number in range(ROUNDS + 2):
            for call, kept in zip((eager, graph), times, strict=True):
                start = time.perf_counter()
                call()
                if number >= 2:
                    kept.append(time.perf_counter() - start)
    variables.restore()
    state.restore()
    return statistics.median(times[0]), statistics.median(times[1])
