"""One function, called eagerly or as a graph → what the calls left behind, and how long they took."""

import contextlib
import io
import logging
import random
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from graphdoctor.autograph.conversion.notes import first_sentence
from graphdoctor.autograph.eager_comparison.state import PythonState, Variables
from graphdoctor.autograph.traces.tracing import Traced
from graphdoctor.autograph.values import spec_text

CALLS = 3
ROUNDS = 15


class Run(msgspec.Struct, kw_only=True):
    """What some calls in one mode left behind."""

    outputs: list[dict[str, Any]] = []
    printed: str = ""
    state: dict[str, str] = {}
    variables: dict[str, Any] = {}
    gradients: dict[str, Any] = {}
    error: str | None = None


def eagerly(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call with every `tf.function` switched to eager, as a debugging user would."""
    import tensorflow as tf

    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    try:
        return function(*args, **kwargs)
    finally:
        tf.config.run_functions_eagerly(before)


def run_calls(call: Callable[[], Any], traced: Traced, args: Any, kwargs: Any, variables: Variables) -> Run:
    run = Run(outputs=[])
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


def time_both(
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
