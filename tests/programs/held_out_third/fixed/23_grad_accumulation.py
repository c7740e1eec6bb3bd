"""Train a small CNN with a large effective batch by accumulating gradients.

My GPU has 4 GB only, so micro batches of 16 and an update every 4 of them.
"""
import os
import random

import numpy as np
import tensorflow as tf
from tensorflow import keras

SEED = 5
ACCUM = 4
MICRO_BATCH = 16
OUT_DIR = os.environ.get("OUT_DIR", "")


def set_seeds(seed=SEED):
    random.seed(seed)
    np.random.seed(seed)
    tf.random.set_seed(seed)


def toy_images(n=256, size=12):
    rng = np.random.default_rng(SEED)
    x = rng.normal(scale=0.3, size=(n, size, size, 1)).astype(np.float32)
    y = rng.integers(0, 2, size=n)
    x[y == 1, 3:9, 3:9, 0] += 0.6
    return x, y.astype(np.int32)


class AccumModel(keras.Model):
    """Functional model + gradient accumulation in train_step."""

    def __init__(self, *args, accum_steps=1, **kwargs):
        super().__init__(*args, **kwargs)
        self.accum_steps = accum_steps
        self.micro_step = tf.Variable(0, dtype=tf.int64, trainable=False)
        self.grad_sums = [
            tf.Variable(tf.zeros_like(v), trainable=False) for v in self.trainable_variables
        ]

    def _apply_accumulated(self):
        scale = 1.0 / float(self.accum_steps)
        grads = [g * scale for g in self.grad_sums]
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        for g in self.grad_sums:
            g.assign(tf.zeros_like(g))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(x, y, y_pred)
        grads = tape.gradient(loss, self.trainable_variables)
        for acc, g in zip(self.grad_sums, grads):
            acc.assign_add(g)

        step = self.micro_step.assign_add(1)
        tf.cond(step % self.accum_steps == 0, self._apply_accumulated, lambda: None)

        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, y_pred)
        return {m.name: m.result() for m in self.metrics}


def build(accum):
    inp = keras.Input((12, 12, 1))
    h = keras.layers.Conv2D(8, 3, activation="relu")(inp)
    h = keras.layers.MaxPooling2D()(h)
    h = keras.layers.Flatten()(h)
    h = keras.layers.Dense(16, activation="relu")(h)
    out = keras.layers.Dense(2)(h)
    return AccumModel(inp, out, accum_steps=accum)


def main():
    set_seeds()
    x, y = toy_images()
    model = build(ACCUM)
    model.compile(
        optimizer=keras.optimizers.Adam(3e-3),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[keras.metrics.SparseCategoricalAccuracy(name="acc")],
    )
    model.optimizer.build(model.trainable_variables)
    stop = keras.callbacks.EarlyStopping(monitor="loss", patience=6, restore_best_weights=False)
    hist = model.fit(x, y, batch_size=MICRO_BATCH, epochs=6, verbose=0, callbacks=[stop])
    for i, (loss, acc) in enumerate(zip(hist.history["loss"], hist.history["acc"])):
        print(f"epoch {i + 1}: loss={loss:.4f} acc={acc:.3f}")
    print("optimizer updates:", int(model.optimizer.iterations))
    if OUT_DIR:
        model.save_weights(os.path.join(OUT_DIR, "cnn.weights.h5"))


if __name__ == "__main__":
    main()
