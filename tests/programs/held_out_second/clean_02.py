"""A step that counts its own traces for the log, and prints only while it is traced."""
import collections

import numpy as np
import tensorflow as tf

TRACES = collections.Counter()


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.zeros([3, 1]))

    @tf.function(reduce_retracing=True)
    def step(self, x, y):
        TRACES["step"] += 1
        print("tracing step for shape", x.shape)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ self.w - y))
        self.w.assign_sub(0.1 * tape.gradient(loss, self.w))
        return loss


def main():
    rng = np.random.default_rng(0)
    net = Net()
    for n in (8, 8, 12, 16, 8):
        x = rng.normal(size=(n, 3)).astype("float32")
        loss = net.step(tf.constant(x), tf.constant(x.sum(1, keepdims=True)))
    print("loss %.4f traced %d times" % (float(loss), TRACES["step"]))


if __name__ == "__main__":
    main()
