"""Learn binary codes for retrieval: pairs of the same class should share their code."""
import numpy as np
import tensorflow as tf

BITS = 8


def clusters(n=160, k=4, seed=0):
    rng = np.random.default_rng(seed)
    label = rng.integers(0, k, n)
    centre = rng.normal(0, 3, (k, 6))
    return (centre[label] + rng.normal(size=(n, 6))).astype("float32"), label.astype("int32")


class Coder(tf.keras.Model):
    def __init__(self, bits=BITS):
        super().__init__()
        self.body = tf.keras.layers.Dense(16, activation="relu")
        self.code = tf.keras.layers.Dense(bits, activation="sigmoid")

    def call(self, x):
        return self.code(self.body(x))

    def binary(self, x):
        return tf.round(self(x))


def pair_loss(codes, labels, margin=3.0):
    distance = tf.reduce_sum(tf.abs(codes[:, None] - codes[None]), -1)
    same = tf.cast(labels[:, None] == labels[None], tf.float32)
    return tf.reduce_mean(same * distance + (1 - same) * tf.nn.relu(margin - distance))


LOSSES = {"pair": pair_loss}


class Learner:
    def __init__(self, coder, kind="pair"):
        self.coder = coder
        self.objective = LOSSES[kind]
        self.optimizer = tf.keras.optimizers.Adam(0.01)

    @tf.function
    def update(self, x, labels):
        with tf.GradientTape() as tape:
            loss = self.objective(self.coder(x), labels)
        weights = self.coder.trainable_weights
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss


def main():
    tf.keras.utils.set_random_seed(0)
    x, label = clusters()
    coder = Coder()
    coder(x[:1])
    learner = Learner(coder)
    ds = tf.data.Dataset.from_tensor_slices((x, label)).shuffle(160, seed=0).batch(40)
    for epoch in range(6):
        for batch in ds:
            loss = learner.update(*batch)
    print("loss %.4f" % float(loss))
    codes = coder.binary(x).numpy()
    print("distinct codes", len({tuple(c) for c in codes}))


if __name__ == "__main__":
    main()
