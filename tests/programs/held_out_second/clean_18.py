"""XLA compiled step with static shapes; the debug print is outside and only in verbose mode."""
import numpy as np
import tensorflow as tf


class Compiled:
    def __init__(self, verbose=False):
        self.verbose = verbose
        self.w = tf.Variable(tf.random.stateless_normal([6, 2], [1, 1]))

    @tf.function(jit_compile=True)
    def _step(self, x, y):
        if self.verbose:
            tf.print("loss of a batch")
        with tf.GradientTape() as tape:
            h = tf.TensorArray(tf.float32, size=3)
            z = x
            for i in tf.range(3):
                z = tf.tanh(z + 0.1)
                h = h.write(i, tf.reduce_mean(z @ self.w - y))
            loss = tf.reduce_sum(tf.square(h.stack()))
        self.w.assign_sub(0.05 * tape.gradient(loss, self.w))
        return loss

    def step(self, x, y):
        loss = self._step(x, y)
        if not np.isfinite(loss.numpy()):
            raise FloatingPointError("loss is not finite")
        return loss


def main():
    model = Compiled()
    rng = np.random.default_rng(0)
    for _ in range(5):
        loss = model.step(tf.constant(rng.normal(size=(8, 6)), tf.float32), tf.zeros([8, 2]))
    print("loss %.5f" % float(loss))


if __name__ == "__main__":
    main()
