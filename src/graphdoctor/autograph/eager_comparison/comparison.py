"""A function run eagerly and as a graph on the same inputs: outputs, gradients, side effects, time."""

from typing import Any

import msgspec

from graphdoctor.autograph import tensorflow_internals as internals
from graphdoctor.autograph.eager_comparison.aspects import Aspect, aspects_of, changed_names
from graphdoctor.autograph.eager_comparison.both_modes import eagerly, run_calls, time_both
from graphdoctor.autograph.eager_comparison.state import Variables
from graphdoctor.autograph.eager_comparison.suspects import suspect_rules
from graphdoctor.autograph.explaining import explain_trace
from graphdoctor.autograph.facts import Explanation
from graphdoctor.autograph.targets.sampling import concrete_values
from graphdoctor.autograph.traces.tracing import Traced, entry

CALLS = 3
ROUNDS = 15
TOLERANCE = {"rtol": 1e-4, "atol": 1e-5}


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


def compare_trace(traced: Traced, timed: bool = True) -> Comparison:
    """Run the traced function in both modes; what it changes is put back."""
    import tensorflow as tf

    args, kwargs = concrete_values(_arguments(traced))
    plain = entry(traced.function, traced.function)
    graph = tf.function(plain, **{**internals.options_of(traced.graph_function), "input_signature": None})
    variables = Variables(tuple(traced.concrete.graph.variables) if traced.concrete is not None else ())
    eager_run = run_calls(lambda: eagerly(plain, args, kwargs), traced, args, kwargs, variables)
    graph_run = run_calls(lambda: graph(*args, **kwargs), traced, args, kwargs, variables)
    aspects = tuple(aspects_of(eager_run, graph_run))
    seconds: tuple[float | None, float | None] = (None, None)
    if timed and eager_run.error is None and graph_run.error is None:
        seconds = time_both(
            lambda: eagerly(plain, args, kwargs), lambda: graph(*args, **kwargs), traced, variables
        )
    differing = [aspect.name for aspect in aspects if aspect.equal is False]
    return Comparison(
        explanation=explain_trace(traced),
        aspects=aspects,
        rules=suspect_rules(traced, differing, changed_names(eager_run, graph_run)),
        operations=sum(not operation.is_plumbing for operation in traced.operations),
        eager_seconds=seconds[0],
        graph_seconds=seconds[1],
    )


def _arguments(traced: Traced) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if not traced.args and not traced.kwargs and traced.graph_function.input_signature:
        return tuple(traced.graph_function.input_signature), {}
    return traced.args, traced.kwargs
