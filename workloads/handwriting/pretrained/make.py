"""Makes the weights of this folder: `python -m workloads.handwriting.pretrained.make FOLDER`.

The training lines are drawn from the Hershey fonts by `hershey.py`; no other data enters. A
training that was stopped goes on where it stood. When it is done, copy `settings.json` and
`best.weights.h5` from FOLDER/second to here, and run `python -m workloads.handwriting.quality`.
"""

import argparse
import contextlib
import os
import time
from pathlib import Path

FIRST_STEPS = 800


def main() -> None:
    """Train the shipped configuration on one thread, with one line of figures now and then."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    from workloads.handwriting.config import MODELS, TRAININGS, TrainConfig
    from workloads.handwriting.train import Progress, train
    from workloads.handwriting.trainer import Trainer

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)

    def tell(progress: Progress, trainer: Trainer) -> None:
        if progress.evaluated:
            loss, alignment = progress.evaluated
            minutes = (time.monotonic() - begun) / 60
            line = f"step {progress.step}  {minutes:.1f} min  loss {loss:.4f}"
            print(f"{line}  alignment {100 * alignment:.2f} %", flush=True)

    # The first stage has the learning rate of a longer training, of which it is the beginning.
    first = TrainConfig(steps=8000, training_lines=20_000, validation_lines=256)

    def tell_and_stop(progress: Progress, trainer: Trainer) -> None:
        tell(progress, trainer)
        if progress.evaluated and progress.step >= FIRST_STEPS:
            raise StopIteration

    begun = time.monotonic()
    second = folder / "second"
    if not second.exists():
        with contextlib.suppress(StopIteration):
            train(MODELS["shipped"], first, folder / "first", tell_and_stop, jit_compile=True)
    weights = folder / "first" / "best.weights.h5"
    train(MODELS["shipped"], TRAININGS["shipped"], second, tell, None, True, start_from=weights)


if __name__ == "__main__":
    main()
