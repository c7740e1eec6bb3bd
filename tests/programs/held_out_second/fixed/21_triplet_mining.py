"""Metric learning with a margin that depends on how hard the batch is."""
import numpy as np
import tensorflow as tf


def embedder(dim=4):
    return tf.keras.Sequential([
        tf.keras.Input((6,)),
        tf.keras.layers.Dense(16, activation="relu"),
        tf.keras.layers.Dense(dim),
    ])


def pairwise(e):
    sq = tf.reduce_sum(tf.square(e), 1)
    return tf.maximum(sq[:, None] - 2.0 * tf.matmul(e, e, transpose_b=True) + sq[None], 1e-9)


def hardness(dist, same):
    positive = tf.reduce_mean(tf.boolean_mask(dist, same))
    negative = tf.reduce_mean(tf.boolean_mask(dist, tf.logical_not(same)))
    return positive / negative


def margin_for(ratio):
    if ratio > 1.0:
        margin = 1.0
    elif ratio > 0.5:
        margin = 0.5
    else:
        margin = 0.2
    return margin


class TripletTrainer:
    def __init__(self):
        self.model = embedder()
        self.opt = tf.keras.optimizers.Adam(1e-2)
        self.opt.build(self.model.trainable_variables)

    def compute(self, x, labels):
        dist = pairwise(self.model(x, training=True))
        same = labels[:, None] == labels[None]
        margin = margin_for(hardness(dist, same))
        hardest_pos = tf.reduce_max(tf.where(same, dist, 0.0), 1)
        hardest_neg = tf.reduce_min(tf.where(same, 1e9, dist), 1)
        return tf.reduce_mean(tf.nn.relu(hardest_pos - hardest_neg + margin)), margin

    @tf.function
    def step(self, x, labels):
        with tf.GradientTape() as tape:
            loss, margin = self.compute(x, labels)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss, margin


def main():
    tf.keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 96).astype("int32")
    x = (rng.normal(0, 2, (3, 6))[labels] + rng.normal(size=(96, 6))).astype("float32")
    trainer = TripletTrainer()
    for bx, by in tf.data.Dataset.from_tensor_slices((x, labels)).repeat(4).batch(32):
        loss, margin = trainer.step(bx, by)
    print("loss %.4f margin %.2f" % (float(loss), float(margin)))


if __name__ == "__main__":
    main()
