"""A residual tower: Python lists and loops that are unrolled while tracing, on purpose."""
import collections

import numpy as np
import tensorflow as tf

Spec = collections.namedtuple("Spec", "kind units")
TOWER = [Spec("relu", 12), Spec("tanh", 12), Spec("relu", 6), Spec("skip", 6)]
ACTIVATIONS = {"relu": tf.nn.relu, "tanh": tf.tanh}


class Tower(tf.Module):
    def __init__(self, dim, tower):
        super().__init__()
        self.tower = tower
        self.weights = []
        for spec in tower:
            self.weights.append(tf.Variable(tf.random.normal([dim, spec.units], stddev=dim ** -0.5)))
            dim = spec.units
        self.head = tf.Variable(tf.random.normal([sum(s.units for s in tower), 1], stddev=0.1))
        self.seen = tf.Variable(0, dtype=tf.int64, trainable=False)

    def __call__(self, x):
        taps = []
        for i, (spec, w) in enumerate(zip(self.tower, self.weights)):
            if spec.kind == "skip":
                x = x + x @ w
            else:
                x = ACTIVATIONS[spec.kind](x @ w)
            taps.append(x)
        return tf.concat(taps, axis=-1) @ self.head

    @tf.function(reduce_retracing=True)
    def train(self, x, y):
        print("building the graph for", x.shape)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x) - y))
        variables = self.trainable_variables
        grads, norm = tf.clip_by_global_norm(tape.gradient(loss, variables), 1.0)
        for v, g in zip(variables, grads):
            v.assign_sub(0.05 * g)
        self.seen.assign_add(tf.shape(x, out_type=tf.int64)[0])
        if self.seen % 192 == 0:
            tf.print("seen", self.seen, "norm", norm)
        return loss


def main():
    tf.random.set_seed(0)
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(96, 4)), tf.float32)
    y = tf.reduce_sum(x[:, :2] * x[:, 2:], axis=1, keepdims=True)
    tower = Tower(4, TOWER)
    ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(20)
    for epoch in range(6):
        losses = []
        for bx, by in ds:
            losses.append(tower.train(bx, by))
        print("epoch", epoch, "loss %.4f" % float(tf.reduce_mean(losses)))


if __name__ == "__main__":
    main()
