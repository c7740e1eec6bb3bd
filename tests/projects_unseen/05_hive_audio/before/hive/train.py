from dataclasses import dataclass

import keras
import tensorflow as tf
from keras import layers

from .naming import RunName


@dataclass
class TrainSpec:
    epochs: int = 8
    run: str = "apiary"
    batch: int = 16
    seed: int = 3


class Trainer:
    def __init__(self, spec, bins):
        self.spec = spec
        self.names = RunName(spec.run)
        self.model = keras.Sequential(
            [keras.Input((bins,)), layers.Dense(12, activation="relu"), layers.Dense(1)]
        )
        self.loss_fn = keras.losses.BinaryCrossentropy(from_logits=True)
        self.optimizer = keras.optimizers.Adam(1e-2)

    def run(self, bank):
        report = {}
        for epoch in range(self.spec.epochs):
            phase = self.names.phase(epoch)
            report[phase] = self.epoch(bank, scope=phase)
        return report

    def epoch(self, bank, **how):
        mean = keras.metrics.Mean()
        for x, y in bank.batches(self.spec.batch):
            mean.update_state(self._train(tf.constant(x), tf.constant(y), **how))
        return float(mean.result())

    @tf.function
    def _train(self, x, y, scope):
        with tf.name_scope(scope):
            with tf.GradientTape() as tape:
                loss = self.loss_fn(y, self.model(x, training=True))
            grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss
