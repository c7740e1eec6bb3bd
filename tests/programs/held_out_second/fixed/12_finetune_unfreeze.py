"""Transfer learning: train the head first, then unfreeze the backbone."""
import dataclasses

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models


@dataclasses.dataclass(frozen=True)
class Phase:
    name: str
    epochs: int
    unfreeze: bool


PHASES = (Phase("head", 2, False), Phase("full", 3, True))


def pretrained():
    base = models.Sequential([
        layers.Input((12, 12, 1)),
        layers.Conv2D(6, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(8, 3, activation="relu"),
        layers.GlobalAveragePooling2D(),
    ], name="backbone")
    return base


class Classifier:
    def __init__(self, classes=3):
        self.base = pretrained()
        self.base.trainable = False
        self.head = models.Sequential([layers.Input((8,)), layers.Dense(classes)], name="head")
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.opt = tf.keras.optimizers.SGD(0.1)
        self.opt.build(self.base.variables + self.head.variables)

    @property
    def variables(self):
        return self.base.trainable_variables + self.head.trainable_variables

    def forward(self, x, training):
        return self.head(self.base(x, training=training), training=training)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.step = tf.function(self._step)

    def _step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.model.loss(y, self.model.forward(x, training=True))
        params = self.model.variables
        self.model.opt.apply_gradients(zip(tape.gradient(loss, params), params))
        return loss

    def run_phase(self, phase, data):
        if phase.unfreeze:
            self.model.base.trainable = True
            self.step = tf.function(self._step)
        for _ in range(phase.epochs):
            for x, y in data:
                loss = self.step(x, y)
        return float(loss)


def stripes(n=90, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    x = rng.normal(0, 0.2, (n, 12, 12, 1)).astype("float32")
    for img, label in zip(x, y):
        img[::2] += float(label == 0)
        img[:, ::2] += float(label == 1)
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(30)


def main():
    tf.keras.utils.set_random_seed(0)
    trainer, data = Trainer(Classifier()), stripes()
    kernel = trainer.model.base.layers[0].kernel
    for phase in PHASES:
        before = kernel.numpy().copy()
        loss = trainer.run_phase(phase, data)
        print("%-5s loss %.4f backbone change %.5f" % (phase.name, loss, np.abs(kernel.numpy() - before).sum()))


if __name__ == "__main__":
    main()
