"""Straight-through quantiser: rounding with the gradient of the identity."""
import numpy as np
import tensorflow as tf


def quantise(x, levels=8.0):
    hard = tf.round(x * levels) / levels
    return x + tf.stop_gradient(hard - x)


class Codec(tf.Module):
    def __init__(self, dim, code):
        super().__init__()
        self.enc = tf.Variable(tf.random.stateless_normal([dim, code], [1, 1]) * 0.3)
        self.dec = tf.Variable(tf.random.stateless_normal([code, dim], [1, 2]) * 0.3)

    def __call__(self, x):
        return quantise(tf.tanh(x @ self.enc)) @ self.dec


def main():
    x = tf.constant(np.random.default_rng(0).normal(size=(64, 6)), tf.float32)
    codec, opt = Codec(6, 4), tf.keras.optimizers.Adam(0.02)
    opt.build(codec.trainable_variables)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(codec(x) - x))
        grads = tape.gradient(loss, codec.trainable_variables)
        opt.apply_gradients(zip(grads, codec.trainable_variables))
        return loss

    first = float(step())
    for _ in range(60):
        last = float(step())
    print("%.4f -> %.4f" % (first, last))


if __name__ == "__main__":
    main()
