"""A compiled recurrent filter with fixed sizes."""
import math

import numpy as np
import tensorflow as tf

LENGTH = 16
KERNEL = np.hanning(5).astype("float32")


def smooth_initial(x):
    rows, cols = x.shape
    scale = 1.0 / math.sqrt(np.prod([rows, cols]))
    kernel = tf.constant(KERNEL / KERNEL.sum())[:, None, None]
    return scale * tf.squeeze(tf.nn.conv1d(x[..., None], kernel, stride=1, padding="SAME"), -1)


class Filter(tf.Module):
    def __init__(self, decay):
        super().__init__()
        self.decay = tf.Variable(decay)

    def cell(self, state, value):
        return self.decay * state + (1.0 - self.decay) * value

    @tf.function(jit_compile=True)
    def by_scan(self, x):
        steps = tf.transpose(smooth_initial(x))
        return tf.transpose(tf.scan(self.cell, steps, initializer=tf.zeros_like(steps[0])))

    @tf.function(jit_compile=True)
    def by_loop(self, x):
        steps = tf.transpose(smooth_initial(x))
        state = tf.zeros_like(steps[0])
        out = tf.TensorArray(tf.float32, size=LENGTH, element_shape=state.shape)
        for t in tf.range(LENGTH):
            state = self.cell(state, steps[t])
            out = out.write(t, state)
        return tf.transpose(out.stack())

    @tf.function(jit_compile=True)
    def last(self, x, mode):
        branches = [lambda: x[:, -1], lambda: tf.reduce_mean(x, axis=1), lambda: tf.reduce_max(x, axis=1)]
        return tf.switch_case(mode, branches)


def main():
    tf.random.set_seed(10)
    f = Filter(0.7)
    x = tf.random.normal([3, LENGTH])
    a, b = f.by_scan(x), f.by_loop(x)
    print("difference %.5f" % float(tf.reduce_max(tf.abs(a - b))))
    print([round(float(f.last(a, tf.constant(m))[0]), 4) for m in range(3)])


main()
