"""Runs inside the observed process: builds a trainer, does a few steps, writes down what happened.

Only the standard library is imported, because this process belongs to the user's environment.
"""

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.diagnosis.keras_trainer import KerasTrainer, TrainerError
from graphdoctor.diagnosis.settings import plain_settings
from graphdoctor.diagnosis.stepping import Clock, run_phase
from graphdoctor.diagnosis.trainers import load_trainer
from graphdoctor.log_filter import hide_log_noise


def main() -> None:
    """Do what the request (a JSON text as the only argument) asks for."""
    hide_log_noise()
    request = json.loads(sys.argv[1])
    result = run(request)
    with open(request["result"], "w", encoding="utf-8") as file:
        json.dump(result, file)


def run(request: dict[str, Any]) -> dict[str, Any]:
    """The phases that the trainer has, step by step, and the error that ended them, if any."""
    phases: list[dict[str, Any]] = []
    settings = None
    error = None
    try:
        trainer = load_trainer(request["target"], request["config"])
        settings = plain_settings(getattr(trainer, "config", None))
        clock = Clock(request["recording"])
        of_keras = isinstance(trainer, KerasTrainer)  # it draws batches of its own
        if isinstance(trainer, KerasTrainer):
            trainer.steps = request["steps"]
        for name, batches, step in _phases(trainer):
            in_graph = trainer.in_graph if of_keras else hasattr(step, "get_concrete_function")
            phases.append({"name": name, "steps": [], "function": in_graph, "pulls_input": of_keras})
            run_phase(phases[-1], batches, step, request["steps"], clock, not of_keras)
    except TrainerError as problem:
        error = str(problem)
    return {"phases": [one for one in phases if one["steps"]], "error": error, "settings": settings}


def _phases(trainer: Any) -> Iterator[tuple[str, Callable[[], Any], Callable[[Any], Any]]]:
    yield "train", trainer.batches, trainer.train_step
    if hasattr(trainer, "accumulate_step"):
        yield "accumulate", trainer.batches, trainer.accumulate_step
    if hasattr(trainer, "validation_step"):
        batches = getattr(trainer, "validation_batches", trainer.batches)
        yield "validation", batches, trainer.validation_step


if __name__ == "__main__":
    main()
