"""Runs inside the observed process: builds a trainer, does a few steps, writes down what happened.

Only the standard library is imported, because this process belongs to the user's environment.
"""

import itertools
import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.diagnosis.batches import describe, is_finite, wait_for
from graphdoctor.diagnosis.trainers import TrainerError, load_trainer


def main() -> None:
    """Do what the request (a JSON text as the only argument) asks for."""
    request = json.loads(sys.argv[1])
    result = run(request)
    with open(request["result"], "w", encoding="utf-8") as file:
        json.dump(result, file)


def run(request: dict[str, Any]) -> dict[str, Any]:
    """The phases that the trainer has, step by step, or the error that ended them."""
    phases: list[dict[str, Any]] = []
    try:
        trainer = load_trainer(request["target"], request["config"])
        clock = _Clock(request["recording"])
        for name, batches, step in _phases(trainer):
            phases.append(_run_phase(name, batches, step, request["steps"], clock))
    except TrainerError as error:
        return {"phases": phases, "error": str(error)}
    return {"phases": phases, "error": None}


def _phases(trainer: Any) -> Iterator[tuple[str, Callable[[], Any], Callable[[Any], Any]]]:
    yield "train", trainer.batches, trainer.train_step
    if hasattr(trainer, "accumulate_step"):
        yield "accumulate", trainer.batches, trainer.accumulate_step
    if hasattr(trainer, "validation_step"):
        batches = getattr(trainer, "validation_batches", trainer.batches)
        yield "validation", batches, trainer.validation_step


def _run_phase(
    name: str, batches: Callable[[], Any], step: Callable[[Any], Any], count: int, clock: "_Clock"
) -> dict[str, Any]:
    steps: list[dict[str, Any]] = []
    for batch in itertools.islice(_batches(name, batches), count):
        leaves = describe(batch)
        clock.forget()
        began = time.perf_counter()
        try:
            result = step(batch)
            wait_for(result)
        except Exception as error:
            raise TrainerError(f"step {len(steps) + 1} of {name} raised {_told(error)}") from error
        seconds = time.perf_counter() - began
        traces, tracing = clock.traced()
        steps.append(
            {
                "seconds": seconds,
                "traces": traces,
                "tracing_seconds": tracing,
                "finite": is_finite(result),
                "leaves": leaves,
            }
        )
    if not steps:
        raise TrainerError(f"the {name} batches are empty: expected at least one batch")
    return {"name": name, "steps": steps}


def _batches(name: str, batches: Callable[[], Any]) -> Iterator[Any]:
    try:
        yield from batches()
    except TrainerError:
        raise
    except Exception as error:
        raise TrainerError(f"reading the {name} batches raised {_told(error)}") from error


def _told(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}"


class _Clock:
    """How many traces a step held and how long they took, as the recording tells."""

    def __init__(self, recording: str) -> None:
        self._recording = recording
        self._read = 0

    def forget(self) -> None:
        self.traced()

    def traced(self) -> tuple[int, float]:
        """The traces since the last look, and their seconds."""
        try:
            with open(self._recording, "rb") as file:
                file.seek(self._read)
                data = file.read()
        except OSError:
            return 0, 0.0
        self._read += len(data)
        events = [json.loads(line) for line in data.splitlines() if line.strip()]
        traces = [event for event in events if event.get("event") == "trace"]
        return len(traces), sum(trace["own_seconds"] for trace in traces)


if __name__ == "__main__":
    main()
