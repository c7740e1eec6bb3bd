"""Makes the weights of this folder: `python -m workloads.handwriting.pretrained.make FOLDER`.

The training lines are drawn from the Hershey fonts by `hershey.py`; no other data enters. It trains
on one thread, and a training that was stopped goes on where it stood. When it is done, copy
`config.yaml` and `best.weights.h5` from FOLDER/capitals to here, and run
`python -m workloads.handwriting.quality`.
"""

import argparse
import os
import time
from pathlib import Path
from typing import NamedTuple

from workloads.handwriting.config import ModelConfig, TrainConfig

SHIPPED = ModelConfig(hidden=160, layers=2, mixtures=10, components=8, sees_height=True)


class Stage(NamedTuple):
    """A training that starts from the weights of the one before."""

    name: str
    settings: TrainConfig


# A step on words costs a third of a step on lines, and teaches as many letters' shapes per point:
# the first stage learns to read and to write, the second to go on for a whole line. The third
# practises capitals: without it an H came out as a D, whatever the loss.
STAGES = (
    Stage(
        "words",
        TrainConfig(
            steps=3000,
            final_learning_rate=1e-3,
            training_lines=20_000,
            longest_text=12,
        ),
    ),
    Stage(
        "lines",
        TrainConfig(
            steps=2400,
            learning_rate=1e-3,
            final_learning_rate=2e-5,
            warmup=20,
            training_lines=16_000,
            validation_lines=256,
            evaluate_every=100,
            longest_text=28,
            seed=2,
        ),
    ),
    Stage(
        "capitals",
        TrainConfig(
            steps=1000,
            learning_rate=1e-3,
            final_learning_rate=1e-5,
            warmup=20,
            training_lines=12_000,
            validation_lines=256,
            evaluate_every=100,
            longest_text=20,
            capitals=0.75,
            seed=3,
        ),
    ),
)


def main() -> None:
    """Train the shipped configuration on one thread, with one line of figures now and then."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, help="stop after so many, to go on another time")
    options = parser.parse_args()
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    end = time.monotonic() + 60 * options.minutes if options.minutes else None
    weights = None
    for stage in STAGES:
        folder = options.folder / stage.name
        _run(stage, folder, weights, end)
        weights = folder / "best.weights.h5"


def _run(stage: Stage, folder: Path, weights: Path | None, end: float | None) -> None:
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
        if end and time.monotonic() > end:
            raise SystemExit(f"stopped at step {progress.step}: start again to go on")

    train(SHIPPED, stage.settings, folder, tell, start_from=weights)


if __name__ == "__main__":
    main()
