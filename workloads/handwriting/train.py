"""Training: one graph per bucket, the paper's clipping, checkpoints that resume exactly."""

import dataclasses
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import keras
import tensorflow as tf

from workloads.handwriting import data
from workloads.handwriting.alignment import aligned_points
from workloads.handwriting.config import DataConfig, ModelConfig, TrainConfig
from workloads.handwriting.line import Line
from workloads.handwriting.loss import total_loss
from workloads.handwriting.model import Handwriting
from workloads.handwriting.settings import keep_settings

Tensor = tf.Tensor


class Result(NamedTuple):
    """One step's, or one evaluation's, figures."""

    loss: float  # nats per point
    alignment: float  # share of points within ±1 character; NaN where the truth is unknown


class Progress(NamedTuple):
    """What a training tells whoever watches it."""

    step: int
    trained: Result
    evaluated: Result | None


def _optimizer(settings: TrainConfig) -> keras.optimizers.Optimizer:
    rate = keras.optimizers.schedules.CosineDecay(
        initial_learning_rate=settings.learning_rate / max(1, settings.warmup),
        decay_steps=max(1, settings.steps - settings.warmup),
        alpha=settings.final_learning_rate / settings.learning_rate,
        warmup_target=settings.learning_rate,
        warmup_steps=settings.warmup,
    )
    return keras.optimizers.Adam(rate, beta_2=0.99)


class Trainer:
    """A model, its optimizer, and how far they are."""

    def __init__(self, config: ModelConfig, settings: TrainConfig, jit_compile: bool = False):
        keras.utils.set_random_seed(settings.seed)
        self.settings = settings
        self.model = Handwriting(config)
        self.optimizer = _optimizer(settings)
        self.optimizer.build(self.model.trainable_variables)  # so that no step creates variables
        self.step = tf.Variable(0, dtype=tf.int64)
        self.best_loss = tf.Variable(math.inf)
        self.bad_evaluations = tf.Variable(0)
        self._train_step = tf.function(self._take_step, jit_compile=jit_compile)
        self._evaluate_step = tf.function(self._judge, jit_compile=jit_compile)

    def _judge(self, batch: dict[str, Tensor]) -> Tensor:
        """Loss, points, aligned points, points of known alignment: sums over the batch."""
        inputs, targets, mask = data.inputs_and_targets(batch)
        reading = self.model.read(inputs)
        loss = total_loss(targets, reading.parameters, mask)
        aligned = aligned_points(reading.weight, batch["text"], batch["characters"][:, 1:])
        return tf.stack([loss, tf.reduce_sum(mask), *aligned])  # [4]

    def _take_step(self, batch: dict[str, Tensor]) -> Tensor:
        # The paper's bounds are for the gradient of a line's whole loss, so the sum is what is
        # differentiated; the division by the points comes after.
        variables = self.model.trainable_variables
        with tf.GradientTape() as tape:
            sums = self._judge(batch)  # [4]
            loss = sums[0]
        gradients = [g / sums[1] for g in tape.gradient(loss, variables)]
        gradients, norm = tf.clip_by_global_norm(gradients, self.settings.gradient_norm)
        usable = tf.math.is_finite(norm)
        gradients = [tf.where(usable, gradient, 0.0) for gradient in gradients]
        self.optimizer.apply(gradients, variables)
        self.step.assign_add(1)
        return sums

    def train_step(self, batch: dict[str, Tensor]) -> Result:
        """One update; the figures are from before it."""
        return _result(self._train_step(batch).numpy())

    def evaluate(self, batches: tf.data.Dataset) -> Result:
        """Figures over all points of all batches."""
        sums = sum(self._evaluate_step(batch).numpy().astype("float64") for batch in batches)
        return _result(sums)

    def judge_progress(self, evaluated: Result) -> bool:
        """Note an evaluation; whether it is the best so far."""
        better = evaluated.loss < float(self.best_loss)
        self.bad_evaluations.assign(0 if better else self.bad_evaluations + 1)
        if better:
            self.best_loss.assign(evaluated.loss)
        return better

    @property
    def finished(self) -> bool:
        """All steps taken, or no progress for `patience` evaluations."""
        out_of_patience = int(self.bad_evaluations) >= self.settings.patience
        return out_of_patience or int(self.step) >= self.settings.steps

    def checkpoint(self) -> tf.train.Checkpoint:
        """Everything that a resumed training needs."""
        return tf.train.Checkpoint(
            model=self.model,
            optimizer=self.optimizer,
            step=self.step,
            best_loss=self.best_loss,
            bad_evaluations=self.bad_evaluations,
        )


def _result(sums) -> Result:
    loss, points, aligned, known = (float(value) for value in sums)
    return Result(loss / points, aligned / known if known else math.nan)


def prepare(
    config: ModelConfig, settings: TrainConfig, lines: list[Line] | None = None
) -> tuple[ModelConfig, DataConfig, list[Line], list[Line]]:
    """Training and validation lines, and the configuration with their pace in it."""
    if lines is None:
        held_out = data.make_lines(
            settings.validation_lines, settings.seed + 1_000_003, settings.longest_text
        )
        texts = frozenset(line.text for line in held_out)
        training = data.make_lines(
            settings.training_lines, settings.seed, settings.longest_text, without=texts
        )
    else:
        training, held_out = data.split(lines, settings.validation_lines, settings.seed)
    measured = data.measure(training)
    config = dataclasses.replace(config, points_per_character=measured.points_per_character)
    return config, measured, training, held_out


def train(
    config: ModelConfig,
    settings: TrainConfig,
    folder: Path,
    watch: Callable[[Progress, Trainer], None] = lambda progress, trainer: None,
    lines: list[Line] | None = None,
    jit_compile: bool = False,
) -> Trainer:
    """Train into `folder`, or go on where a training in it stopped."""
    config, measured, training, held_out = prepare(config, settings, lines)
    folder.mkdir(parents=True, exist_ok=True)
    keep_settings(folder, config, settings, measured)
    trainer = Trainer(config, settings, jit_compile)
    manager = tf.train.CheckpointManager(trainer.checkpoint(), str(folder), max_to_keep=2)
    if manager.latest_checkpoint:
        trainer.checkpoint().restore(manager.latest_checkpoint).assert_consumed()
    make = _batch_maker(settings, measured)
    validation = make(held_out, seed=None, epochs=1).cache()
    # The order of the lines follows from the seed, so skipping what was seen resumes exactly.
    batches = iter(make(training, seed=settings.seed, epochs=None).skip(int(trainer.step)))
    while not trainer.finished:
        progress = _until_evaluation(trainer, batches, watch)
        evaluated = trainer.evaluate(validation)
        if trainer.judge_progress(evaluated):
            trainer.model.save_weights(str(folder / "best.weights.h5"))
        manager.save(checkpoint_number=trainer.step)
        watch(progress._replace(evaluated=evaluated), trainer)
    return trainer


def _batch_maker(settings: TrainConfig, measured: DataConfig) -> Callable[..., tf.data.Dataset]:
    def make(lines: list[Line], seed: int | None, epochs: int | None) -> tf.data.Dataset:
        size, buckets = settings.batch_size, settings.buckets
        return data.make_batches(lines, measured.scale, size, buckets, seed, epochs)

    return make


def _until_evaluation(
    trainer: Trainer,
    batches: Iterator[dict[str, Tensor]],
    watch: Callable[[Progress, Trainer], None],
) -> Progress:
    """Steps up to the next evaluation; the progress of the last."""
    while True:
        result = trainer.train_step(next(batches))
        step = int(trainer.step)
        progress = Progress(step, result, None)
        if step % trainer.settings.evaluate_every == 0 or step >= trainer.settings.steps:
            return progress
        watch(progress, trainer)
