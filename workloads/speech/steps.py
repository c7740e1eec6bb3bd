"""The steps: train, accumulate, apply, validate; each traced once per batch shape, or once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from workloads.speech.config import Config
from workloads.speech.losses import means, sums_and_counts
from workloads.speech.model import TextToMel

Batch = dict[str, tf.Tensor]
SUM = tf.distribute.ReduceOp.SUM


class Steps:
    """Model and optimizer, and the functions that change them.

    All variables exist before anything is traced: a step that creates variables is traced twice.
    """

    def __init__(self, config: Config, strategy: tf.distribute.Strategy, signature: Any) -> None:
        self.config, self.strategy = config, strategy
        training = config.training
        with strategy.scope():
            self.model = TextToMel(config)
            self.model(_smallest_batch(config))
            self.optimizer = keras.optimizers.Adam(_schedule(config), beta_2=0.98)
            self.optimizer.build(self.model.trainable_variables)
            self.gradients = [_accumulator(one) for one in self.model.trainable_variables]
        wanted = signature if training.input_signature else None
        self.train = self._graph(self.train_step, wanted)
        self.accumulate = self._graph(self.accumulate_step, wanted)
        self.apply = self._graph(self.apply_step, ())
        self.validate = self._graph(self.validation_step, wanted)

    def train_step(self, batch: Batch) -> dict[str, tf.Tensor]:
        """One update from one batch; the mean losses."""
        return self._on_replicas(self._train, batch)

    def accumulate_step(self, batch: Batch) -> dict[str, tf.Tensor]:
        """Add the gradients of one batch to those that wait; the mean losses."""
        return self._on_replicas(self._accumulate, batch)

    def apply_step(self) -> None:
        """One update from the gradients that wait."""
        self.strategy.run(self._apply)

    def validation_step(self, batch: Batch) -> dict[str, tf.Tensor]:
        """The sums and counts of every loss, on one batch."""
        return self._on_replicas(self._validate, batch)

    def _on_replicas(self, step: Callable[[Batch], Any], batch: Batch) -> Any:
        return tf.nest.map_structure(self._first, self.strategy.run(step, (batch,)))

    def _graph(self, function: Callable[..., Any], signature: Any) -> Callable[..., Any]:
        training = self.config.training
        if not training.enable_graph_mode:
            return function
        xla = training.enable_xla_compilation or None
        return tf.function(function, input_signature=signature, jit_compile=xla)

    def _first(self, value: Any) -> Any:
        """The value of this worker's first replica: results are the same on all."""
        return self.strategy.experimental_local_results(value)[0]

    def _train(self, batch: Batch) -> dict[str, tf.Tensor]:
        losses, gradients = self._losses_and_gradients(batch)
        self._update(gradients)
        return losses

    def _accumulate(self, batch: Batch) -> dict[str, tf.Tensor]:
        losses, gradients = self._losses_and_gradients(batch)
        for total, gradient in zip(self.gradients, gradients, strict=True):
            total.assign_add(gradient)
        return losses

    def _apply(self) -> None:
        count = self.config.training.accumulate
        self._update([total.read_value() / count for total in self.gradients])
        for total in self.gradients:
            total.assign(tf.zeros_like(total))

    def _validate(self, batch: Batch) -> dict[str, tf.Tensor]:
        return self._on_all(sums_and_counts(self.model(batch), batch))

    def _losses_and_gradients(self, batch: Batch) -> tuple[dict[str, tf.Tensor], list[tf.Tensor]]:
        variables = [variable.value for variable in self.model.trainable_variables]
        with tf.GradientTape() as tape:
            here = sums_and_counts(self.model(batch), batch)
            everywhere = self._on_all(here)
            # Each replica divides by the counts of all: their gradients then add up to the whole.
            shares = {name: _share(here[name], everywhere[name]) for name in here}
            loss = means(shares)["loss"]
        # The embedding's gradient comes as slices: dense, it can be added up and clipped.
        gradients = [tf.convert_to_tensor(one) for one in tape.gradient(loss, variables)]
        return means(everywhere), self._on_all(gradients)

    def _update(self, gradients: list[tf.Tensor]) -> None:
        clipped, _ = tf.clip_by_global_norm(gradients, self.config.training.gradient_norm)
        # The optimizer adds up the replicas' gradients, which are already the same everywhere.
        replicas = self.strategy.num_replicas_in_sync
        self.optimizer.apply([one / replicas for one in clipped], self.model.trainable_variables)

    def _on_all(self, values: Any) -> Any:
        if self.strategy.num_replicas_in_sync == 1:
            return values
        return tf.distribute.get_replica_context().all_reduce(SUM, values)


def _share(here: tf.Tensor, everywhere: tf.Tensor) -> tf.Tensor:
    return tf.stack([here[0], tf.stop_gradient(everywhere[1])])  # [2]


def _accumulator(variable: Any) -> tf.Variable:
    return tf.Variable(
        tf.zeros(variable.shape),
        trainable=False,
        synchronization=tf.VariableSynchronization.ON_READ,
        aggregation=tf.VariableAggregation.MEAN,
    )


def _schedule(config: Config) -> keras.optimizers.schedules.LearningRateSchedule:
    training = config.training
    return keras.optimizers.schedules.CosineDecay(
        training.learning_rate,
        decay_steps=training.steps,
        alpha=training.final_learning_rate / training.learning_rate,
    )


def _smallest_batch(config: Config) -> Batch:
    """One symbol and two frames: enough to create every variable."""
    return {
        "text": tf.ones([1, 1], tf.int32),
        "text_length": tf.constant([1]),
        "text_mask": tf.constant([[True]]),
        "mel": tf.zeros([1, 2, config.audio.mel_bins]),
        "mel_length": tf.constant([2]),
        "mel_mask": tf.constant([[True, True]]),
        "row_mask": tf.constant([True]),
    }
