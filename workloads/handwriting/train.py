"""Training: one graph per bucket, checkpoints that resume exactly, early stopping.

`python -m workloads.handwriting.train small` trains in minutes.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import tensorflow as tf
from msgspec.structs import replace

from workloads.handwriting import data
from workloads.handwriting.config import Config, DataConfig, ModelConfig, TrainConfig, keep_config
from workloads.handwriting.line import Line
from workloads.handwriting.trainer import Result, Trainer

Batch = dict[str, tf.Tensor]


class Progress(NamedTuple):
    """What a training tells whoever watches it."""

    step: int
    trained: Result
    evaluated: Result | None


Watcher = Callable[[Progress, Trainer], None]


def prepare(
    config: ModelConfig, settings: TrainConfig, lines: list[Line] | None = None
) -> tuple[ModelConfig, DataConfig, list[Line], list[Line]]:
    """Training and validation lines, and the configuration with their pace in it."""
    if lines is None:
        longest, wanted = settings.longest_text, {"styles": settings.styles, "capitals": settings.capitals}
        other_seed = settings.seed + 1_000_003
        held_out = data.make_lines(settings.validation_lines, other_seed, longest, **wanted)
        texts = frozenset(line.text for line in held_out)
        training = data.make_lines(settings.training_lines, settings.seed, longest, texts, **wanted)
        training[:: settings.unnamed] = [line._replace(style="") for line in training[:: settings.unnamed]]
    else:
        training, held_out = data.split(lines, settings.validation_lines, settings.seed)
    measured = data.measure(training)
    config = replace(config, points_per_character=measured.points_per_character)
    return config, measured, training, held_out


def train(
    config: ModelConfig,
    settings: TrainConfig,
    folder: Path,
    watch: Watcher = lambda progress, trainer: None,
    lines: list[Line] | None = None,
    jit_compile: bool = False,
    start_from: Path | None = None,
) -> Trainer:
    """Train into `folder`, or go on where a training in it stopped.

    Args:
        start_from: weights of a model of the same shape, for a training that has not begun.
    """
    config, measured, training, held_out = prepare(config, settings, lines)
    folder.mkdir(parents=True, exist_ok=True)
    keep_config(Config(config, settings, measured), folder)
    trainer = Trainer(config, settings, measured.scale, jit_compile)
    manager = tf.train.CheckpointManager(trainer.checkpoint(), str(folder), max_to_keep=2)
    if manager.latest_checkpoint:
        trainer.checkpoint().restore(manager.latest_checkpoint).assert_consumed()
    elif start_from:
        trainer.model.load_weights(str(start_from))
    make = _batch_maker(settings, measured)
    validation = make(held_out, seed=None, epochs=1).cache()
    # The order of the lines follows from the seed, so skipping what was seen resumes exactly.
    batches = iter(make(training, seed=settings.seed, epochs=None).skip(int(trainer.step)))
    while not trainer.finished:
        progress = _until_evaluation(trainer, batches, watch)
        evaluated = trainer.evaluate(validation)
        if trainer.judge_progress(evaluated):
            _replace_weights(trainer, folder / "best.weights.h5")
        manager.save(checkpoint_number=trainer.step)
        watch(progress._replace(evaluated=evaluated), trainer)
    return trainer


def _replace_weights(trainer: Trainer, path: Path) -> None:
    """Write the weights in one go: a kill leaves the old ones or the new."""
    new = path.with_name("new.weights.h5")
    trainer.model.save_weights(str(new))
    new.replace(path)


def _batch_maker(settings: TrainConfig, measured: DataConfig) -> Callable[..., tf.data.Dataset]:
    def make(lines: list[Line], seed: int | None, epochs: int | None) -> tf.data.Dataset:
        size, buckets = settings.batch_size, settings.buckets
        return data.make_batches(lines, measured.scale, size, buckets, seed, epochs)

    return make


def _until_evaluation(
    trainer: Trainer,
    batches: Iterator[Batch],
    watch: Watcher,
) -> Progress:
    """Steps up to the next evaluation; the progress of the last."""
    while True:
        result = trainer.train_step(next(batches))
        step = int(trainer.step)
        progress = Progress(step, result, None)
        if step % trainer.settings.evaluate_every == 0 or step >= trainer.settings.steps:
            return progress
        watch(progress, trainer)


if __name__ == "__main__":
    from workloads.handwriting.train_command import main

    main(prog_name="python -m workloads.handwriting.train")
