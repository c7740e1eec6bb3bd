"""What a step, a trace and a compilation cost: measured, not guessed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from graphdoctor.batching.errors import BatchingError


@dataclass(frozen=True)
class Costs:
    """Measured seconds; a unit is one unit of padded work (one frame, where work is the length).

    `static_slowdown` is the time of a step with fully static shapes over that of the same step
    with `None` lengths; on a CPU it can be far from one.
    """

    per_trace: float
    per_unit: float
    per_step: float = 0.0
    per_compilation: float = 0.0
    static_slowdown: float = 1.0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not 0 <= value < float("inf"):
                raise BatchingError(f"`{name}` must be zero or more seconds, got {value!r}")
        if self.per_unit == 0 or self.static_slowdown == 0:
            raise BatchingError("`per_unit` and `static_slowdown` must be more than zero")


def measure_costs(
    step: Callable[[Any], object],
    make_batch: Callable[[int], Any],
    *,
    short: int,
    long: int,
    batch_size: int,
    repeats: int = 5,
    clock: Callable[[], float] = time.perf_counter,
) -> Costs:
    """The costs of a step, from its first and later calls on a short and a long batch.

    The first call on each batch holds the trace (and under XLA the compilation); a step that was
    called before measures as if tracing were free. `make_batch(length)` gives a batch whose
    examples are all that long.
    """
    if not 0 < short < long:
        raise BatchingError(f"`short` must be below `long`, got {short} and {long}")
    seconds: dict[int, float] = {}
    first_calls = []
    for length in (short, long):
        batch = make_batch(length)
        first = _timed(step, batch, clock)
        seconds[length] = median(_timed(step, batch, clock) for _ in range(repeats))
        first_calls.append(max(first - seconds[length], 0.0))
    slope = (seconds[long] - seconds[short]) / (long - short)
    per_unit = max(slope, 1e-3 * seconds[long] / long) / batch_size
    return Costs(
        per_trace=max(first_calls),
        per_unit=per_unit,
        per_step=max(seconds[short] - per_unit * batch_size * short, 0.0),
    )


def _timed(step: Callable[[Any], object], batch: Any, clock: Callable[[], float]) -> float:
    before = clock()
    result = step(batch)
    if hasattr(result, "numpy"):  # an asynchronous device has finished only when it is read
        result.numpy()
    return clock() - before
