"""Vector quantiser with straight-through gradients and a custom gradient clip."""
import numpy as np
import tensorflow as tf


@tf.custom_gradient
def clip_backward(x):
    def grad(dy):
        return tf.where(tf.abs(dy) > 0.1, 0.1 * tf.sign(dy), dy)

    return tf.identity(x), grad


class Quantiser(tf.Module):
    def __init__(self, codes, dim):
        super().__init__()
        self.book = tf.Variable(tf.random.stateless_normal([codes, dim], [3, 1]))

    def __call__(self, z):
        d = tf.reduce_sum(tf.square(z[:, None] - self.book[None]), axis=-1)
        idx = tf.argmin(d, axis=1)
        q = tf.gather(self.book, idx)
        commit = tf.reduce_mean(tf.square(tf.stop_gradient(z) - q))
        return z + tf.stop_gradient(q - z), commit, idx


enc = tf.Variable(tf.random.stateless_normal([6, 2], [3, 2]) * 0.5)
dec = tf.Variable(tf.random.stateless_normal([2, 6], [3, 3]) * 0.5)
vq = Quantiser(8, 2)


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        z = clip_backward(x @ enc)
        q, commit, idx = vq(z)
        recon = tf.reduce_mean(tf.square(q @ dec - x))
        used = tf.size(tf.unique(idx)[0])
        hard = tf.round(tf.nn.sigmoid(z))
        sparsity = tf.reduce_mean(tf.cast(hard > 0.5, tf.float32))
        loss = recon + commit
    params = [enc, dec, vq.book]
    for p, g in zip(params, tape.gradient(loss, params)):
        p.assign_sub(0.1 * tf.convert_to_tensor(g))
    return loss, used, sparsity


def main():
    x = tf.constant(np.random.default_rng(0).normal(size=(64, 6)), tf.float32)
    for _ in range(30):
        loss, used, sparsity = step(x)
    print("loss", float(loss), "codes", int(used), "on", float(sparsity))


if __name__ == "__main__":
    main()
