"""Makes the weights of this folder: `python -m workloads.handwriting.pretrained.make FOLDER`.

The training lines are drawn from the Hershey fonts by `hershey.py`; no other data enters. A
training that was stopped goes on where it stood. When it is done, copy `settings.json` and
`best.weights.h5` from FOLDER/third to here, and run `python -m workloads.handwriting.quality`.
"""

import argparse
import contextlib
import os
import time
from pathlib import Path
from typing import NamedTuple

from workloads.handwriting.config import MODELS, TrainConfig
from workloads.handwriting.hershey import STYLES


class Stage(NamedTuple):
    """A training that starts from the weights of the one before, and may end before its plan."""

    name: str
    settings: TrainConfig
    steps: int


# The first two were begun as longer trainings, whence their learning rates; each has its own lines.
# They saw the three styles equally often; the last sees the joined script in every other line: it is
# harder to learn and to keep up than the other two, which share a font.
EQUALLY = tuple(STYLES)
STAGES = (
    Stage(
        "first",
        TrainConfig(steps=8000, training_lines=20_000, validation_lines=256, styles=EQUALLY),
        800,
    ),
    Stage(
        "second",
        TrainConfig(
            steps=1600,
            learning_rate=1.5e-3,
            final_learning_rate=5e-5,
            training_lines=12_000,
            validation_lines=256,
            evaluate_every=100,
            styles=EQUALLY,
            seed=2,
        ),
        200,
    ),
    Stage(
        "third",
        TrainConfig(
            steps=400,
            learning_rate=1.5e-3,
            final_learning_rate=3e-5,
            warmup=20,
            training_lines=4000,
            validation_lines=256,
            evaluate_every=100,
            seed=3,
        ),
        400,
    ),
)


def main() -> None:
    """Train the shipped configuration on one thread, with one line of figures now and then."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    weights = None
    for stage in STAGES:
        if not (folder / stage.name / "done").exists():
            _run(stage, folder / stage.name, weights)
        weights = folder / stage.name / "best.weights.h5"


def _run(stage: Stage, folder: Path, weights: Path | None) -> None:
    from workloads.handwriting.train import Progress, train
    from workloads.handwriting.trainer import Trainer

    def tell(progress: Progress, trainer: Trainer) -> None:
        if not progress.evaluated:
            return
        loss, alignment = progress.evaluated
        minutes = time.process_time() / 60
        print(
            f"{stage.name} {progress.step}: loss {loss:.4f}, alignment {100 * alignment:.2f} %, "
            f"{minutes:.1f} processor minutes",
            flush=True,
        )
        if progress.step >= stage.steps:
            raise StopIteration

    with contextlib.suppress(StopIteration):
        train(MODELS["shipped"], stage.settings, folder, tell, jit_compile=True, start_from=weights)
    (folder / "done").touch()


if __name__ == "__main__":
    main()
