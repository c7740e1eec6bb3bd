"""Siamese encoder trained on pairs of noisy vectors."""
import functools

import numpy as np
import tensorflow as tf
import keras


class BaseLearner:
    def __init__(self, lr):
        self.optimizer = keras.optimizers.Adam(lr)

    @functools.cached_property
    def step(self):
        return tf.function(self._update)

    def _update(self, *batch):
        variables = self.encoder.trainable_variables
        with tf.GradientTape() as tape:
            loss = self.loss(*batch)
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    def fit(self, batches):
        total, n = 0.0, 0
        for batch in batches:
            total += float(self.step(*batch))
            n += 1
        return total / n


class Siamese(BaseLearner):
    def __init__(self, n_in, n_out=8, temperature=0.2, lr=3e-3):
        super().__init__(lr)
        self.temperature = temperature
        self.encoder = keras.Sequential([keras.Input((n_in,)),
                                         keras.layers.Dense(32, activation="relu"),
                                         keras.layers.Dense(n_out)])
        self.optimizer.build(self.encoder.trainable_variables)

    def loss(self, left, right):
        a = tf.math.l2_normalize(self.encoder(left), axis=-1)
        b = tf.math.l2_normalize(self.encoder(right), axis=-1)
        logits = tf.matmul(a, b, transpose_b=True) / self.temperature
        labels = tf.range(tf.shape(logits)[0])
        return tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))


def pairs(n=224, dim=10, batch=32, seed=0):
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(n, dim))
    noisy = [base + 0.3 * rng.normal(size=base.shape) for _ in range(2)]
    ds = tf.data.Dataset.from_tensor_slices(tuple(v.astype("float32") for v in noisy))
    return ds.shuffle(n, seed=seed).batch(batch, drop_remainder=True)


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    learner = Siamese(10)
    for epoch in range(4):
        print(f"epoch {epoch} loss {learner.fit(pairs()):.4f}")
