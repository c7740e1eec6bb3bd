"""Runs the steps of one phase inside the observed process, and writes down what each took and was given.

Only the standard library is imported, because this process belongs to the user's environment.
"""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.diagnosis.batches import describe, is_finite, vectors, wait_for
from graphdoctor.diagnosis.keras_trainer import TrainerError
from graphdoctor.diagnosis.step_parts import InputWaits, StepParts
from graphdoctor.diagnosis.trainers import described

REPEATS = 3
Step = Callable[[Any], Any]


class Clock:
    """How many traces a step held and how long they took, as the recording tells."""

    def __init__(self, recording: str) -> None:
        self._recording = recording
        self._read = 0

    def traced(self) -> tuple[int, float]:
        """The traces since the last look (those inside others are part of them), and their seconds."""
        try:
            with open(self._recording, "rb") as file:
                file.seek(self._read)
                data = file.read()
        except OSError:
            return 0, 0.0
        self._read += len(data)
        events = [json.loads(line) for line in data.splitlines() if line.strip()]
        traces = [event for event in events if event.get("event") == "trace"]
        outer = sum(not trace.get("trace") for trace in traces)
        return outer, sum(trace.get("own_seconds", 0.0) for trace in traces)


def run_phase(
    phase: dict[str, Any], batches: Callable[[], Any], step: Step, count: int, clock: Clock, repeats: bool
) -> None:
    """Fill a phase with its steps, one by one, so that those before an error are kept."""
    name, steps = phase["name"], phase["steps"]
    with StepParts() as parts, InputWaits(phase.get("pulls_input", False)) as waits:
        for batch, waited in _epochs(name, batches, count):
            later = parts if steps else None  # the first step traces: what it is made of says nothing
            if steps:
                waits.begin()
            steps.append(_timed_step(f"step {len(steps) + 1} of {name}", step, batch, clock, later))
            steps[-1]["input_seconds"] = waited
        phase["parts"], phase["waited_seconds"] = parts.by_phase(), waits.seconds()
    if not steps:
        raise TrainerError(f"the {name} batches are empty: expected at least one batch")
    if repeats and not _any_shape_came_back(steps):
        again = [_timed_step(f"{name} with its last batch again", step, batch, clock) for _ in range(REPEATS)]
        phase["repeated"] = [one["seconds"] for one in again if not one["traces"]]


def _timed_step(
    place: str, step: Step, batch: Any, clock: Clock, parts: StepParts | None = None
) -> dict[str, Any]:
    leaves = describe(batch)
    lengths = vectors(batch)
    clock.traced()
    if parts is not None:
        parts.begin()
    began = time.perf_counter()
    try:
        result = step(batch)
        wait_for(result)
    except Exception as error:
        raise TrainerError(f"{place} raised {described(error)}") from error
    finally:
        if parts is not None:
            parts.end()
    seconds = time.perf_counter() - began
    traces, tracing = clock.traced()
    return {
        "seconds": seconds,
        "traces": traces,
        "tracing_seconds": tracing,
        "finite": is_finite(result),
        "leaves": leaves,
        "vectors": lengths,
    }


def _epochs(name: str, batches: Callable[[], Any], count: int) -> Iterator[tuple[Any, float | None]]:
    """So many batches, each with the seconds that it was waited for; fewer where a later epoch is empty.

    None for the first of an epoch: that wait builds the pipeline, which a long epoch does once.
    """
    given = 0
    while given < count:
        before = given
        epoch = _one_epoch(name, batches)
        while True:
            began = time.perf_counter()
            try:
                batch = next(epoch)
            except StopIteration:
                break
            yield batch, time.perf_counter() - began if given > before else None
            given += 1
            if given == count:
                return
        if given == before:
            return


def _one_epoch(name: str, batches: Callable[[], Any]) -> Iterator[Any]:
    try:
        yield from batches()
    except Exception as error:
        raise TrainerError(f"reading the {name} batches raised {described(error)}") from error


def _any_shape_came_back(steps: list[dict[str, Any]]) -> bool:
    """Whether some step had the shapes of an earlier one, and so shows how fast a warm step is."""
    shapes = [json.dumps(step["leaves"]) for step in steps]
    return len(set(shapes)) < len(shapes)
