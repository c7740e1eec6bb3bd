"""Trainer with many Python attributes that only eager code reads."""
import numpy as np
import tensorflow as tf


class Trainer:
    def __init__(self, dim, patience=3):
        self.w = tf.Variable(tf.zeros([dim, 1]))
        self.opt = tf.keras.optimizers.SGD(0.1, momentum=0.5)
        self.opt.build([self.w])
        self.patience = patience
        self.best, self.wait, self.epoch = np.inf, 0, 0
        self.snapshot = None
        self.log = []

    @tf.function
    def _step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ self.w - y))
        self.opt.apply_gradients([(tape.gradient(loss, self.w), self.w)])
        return loss

    @tf.function
    def _evaluate(self, ds):
        total, n = 0.0, 0
        for x, y in ds:
            total += tf.reduce_mean(tf.square(x @ self.w - y))
            n += 1
        return total / tf.cast(n, tf.float32)

    def _improved(self, value):
        if value < self.best - 1e-4:
            self.best, self.wait = value, 0
            self.snapshot = self.w.numpy().copy()
            return True
        self.wait += 1
        return False

    def fit(self, train, valid, epochs):
        for self.epoch in range(epochs):
            for x, y in train:
                self._step(x, y)
            value = float(self._evaluate(valid))
            self.log.append(f"{self.epoch}:{value:.4f}")
            if not self._improved(value) and self.wait >= self.patience:
                break
        self.w.assign(self.snapshot)
        return self.log


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(160, 4)).astype("float32")
    y = (x[:, :1] - x[:, 3:] + 0.3 * rng.normal(size=(160, 1))).astype("float32")
    make = lambda s: tf.data.Dataset.from_tensor_slices((x[s], y[s])).batch(32, drop_remainder=True)
    trainer = Trainer(4)
    print(trainer.fit(make(slice(0, 96)), make(slice(96, 160)), epochs=20)[-1], trainer.epoch, trainer.best)


if __name__ == "__main__":
    main()
