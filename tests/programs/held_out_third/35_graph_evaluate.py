"""Train/evaluate script for the occupancy classifier.

The whole evaluation pass runs in one tf.function: looping over the test set in
Python took longer than a training epoch.
"""
import os
import tempfile

import numpy as np
import tensorflow as tf


def make_ds(n, batch, seed, shuffle=False):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 6)).astype(np.float32)
    y = ((x[:, 0] > 0) ^ (x[:, 1] > 0.3)).astype(np.int64)
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    if shuffle:
        ds = ds.shuffle(n, seed=seed, reshuffle_each_iteration=True)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def confidence_bonus(prob, y):
    """Soft accuracy: probability given to the right class."""
    return tf.gather(prob, y, axis=1, batch_dims=1)


class Experiment:
    def __init__(self, lr=5e-3):
        self.model = tf.keras.Sequential([
            tf.keras.Input((6,)),
            tf.keras.layers.Dense(32, activation="relu"),
            tf.keras.layers.Dense(2),
        ])
        self.opt = tf.keras.optimizers.Adam(lr)
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.best = 0.0
        self.ckpt = tf.train.Checkpoint(model=self.model)

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    @tf.function
    def evaluate(self, ds):
        """Returns accuracy, soft accuracy and mean loss over a dataset."""
        correct, soft, loss_sum, seen = 0, 0.0, 0.0, 0
        for x, y in ds:
            logits = self.model(x, training=False)
            prob = tf.nn.softmax(logits)
            hits = tf.cast(tf.equal(tf.argmax(logits, -1), y), tf.float32)
            correct += tf.reduce_sum(hits)
            soft += tf.reduce_sum(confidence_bonus(prob, y))
            loss_sum += self.loss_fn(y, logits) * tf.cast(tf.shape(x)[0], tf.float32)
            seen += tf.shape(x)[0]
        n = tf.cast(seen, tf.float32)
        return correct / n, soft / n, loss_sum / n

    def fit(self, train, test, epochs, workdir):
        for epoch in range(epochs):
            loss = 0.0
            for x, y in train:
                loss = self.train_step(x, y)
            acc, soft, test_loss = (float(v) for v in self.evaluate(test))
            print(f"epoch {epoch}: train {float(loss):.3f} test {test_loss:.3f} acc {acc:.3f} soft {soft:.3f}")
            if acc > self.best:
                self.best = acc
                self.ckpt.write(os.path.join(workdir, "best"))


def main():
    tf.keras.utils.set_random_seed(1)
    exp = Experiment()
    with tempfile.TemporaryDirectory() as workdir:
        exp.fit(make_ds(1024, 64, 0, shuffle=True), make_ds(512, 64, 1), epochs=3, workdir=workdir)
    print("best", round(exp.best, 3))


if __name__ == "__main__":
    main()
