"""A model, its optimizer, and the graphs that train and judge it."""

import math
from typing import NamedTuple

import keras
import tensorflow as tf

from workloads.handwriting import data
from workloads.handwriting.alignment import aligned_points
from workloads.handwriting.config import ModelConfig, TrainConfig
from workloads.handwriting.loss import total_loss
from workloads.handwriting.model import Handwriting

Tensor = tf.Tensor


class Result(NamedTuple):
    """One step's, or one evaluation's, figures."""

    loss: float  # nats per point
    alignment: float  # share of points within ±1 character; NaN where the truth is unknown


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

    def __init__(
        self,
        config: ModelConfig,
        settings: TrainConfig,
        scale: float = 1.0,
        jit_compile: bool = False,
    ):
        keras.utils.set_random_seed(settings.seed)
        self.settings = settings
        self.scale = scale
        self.model = Handwriting(config)
        self.optimizer = _optimizer(settings)
        self.optimizer.build(self.model.trainable_variables)  # so that no step creates variables
        self.step = tf.Variable(0, dtype=tf.int64)
        self.best_loss = tf.Variable(math.inf)
        self.bad_evaluations = tf.Variable(0)
        # XLA compiles for fixed shapes, so it gets a graph for each bucket; otherwise one graph
        # serves them all.
        options = {"jit_compile": True} if jit_compile else {"input_signature": [data.SIGNATURE]}
        self._train_step = tf.function(self._take_step, **options)
        self._evaluate_step = tf.function(self._judge, **options)

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
    def out_of_patience(self) -> bool:
        """No progress for `patience` evaluations."""
        return int(self.bad_evaluations) >= self.settings.patience

    @property
    def finished(self) -> bool:
        """All steps taken, or out of patience."""
        return self.out_of_patience or int(self.step) >= self.settings.steps

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
