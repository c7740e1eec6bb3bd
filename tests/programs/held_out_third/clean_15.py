"""Streaming anomaly score: the normaliser makes its state when it sees the first batch."""
import numpy as np
import tensorflow as tf


class RunningNorm(tf.Module):
    """Exponential running mean / variance, built lazily because the width is not known before."""

    def __init__(self, momentum=0.95):
        super().__init__()
        self.momentum = momentum
        self.mean = None
        self.var = None

    def __call__(self, x, update=True):
        if self.mean is None:
            width = x.shape[-1]
            self.mean = tf.Variable(tf.zeros(width), trainable=False, name="mean")
            self.var = tf.Variable(tf.ones(width), trainable=False, name="var")
        if update:
            m, v = tf.nn.moments(x, axes=[0])
            self.mean.assign(self.momentum * self.mean + (1 - self.momentum) * m)
            self.var.assign(self.momentum * self.var + (1 - self.momentum) * v)
        return (x - self.mean) / tf.sqrt(self.var + 1e-5)


class Detector(tf.Module):
    def __init__(self, threshold=3.5):
        super().__init__()
        self.norm = RunningNorm()
        self.seen = tf.Variable(0, dtype=tf.int64, trainable=False)
        self.threshold = threshold

    @tf.function
    def observe(self, x):
        z = self.norm(x)
        self.seen.assign_add(tf.shape(x, out_type=tf.int64)[0])
        score = tf.reduce_max(tf.abs(z), axis=-1)
        if self.seen < 256:                     # no alarms while the statistics settle
            alarms = tf.zeros_like(score, tf.bool)
        else:
            alarms = score > self.threshold
        return score, alarms


def stream(n_batches, batch=32, width=6, seed=0):
    rng = np.random.default_rng(seed)
    scale = rng.uniform(0.5, 4.0, size=width)
    for i in range(n_batches):
        x = 2.0 + scale * rng.normal(size=(batch, width))
        if i % 15 == 14:
            x[0, 0] += 12 * scale[0]
        yield i, tf.constant(x, tf.float32)


def main():
    detector = Detector()
    flagged = []
    for i, x in stream(90):
        score, alarms = detector.observe(x)
        if bool(tf.reduce_any(alarms)):
            flagged.append((i, float(tf.reduce_max(score))))
    print("observed", int(detector.seen), "rows; mean", detector.norm.mean.numpy().round(2))
    for i, s in flagged[:8]:
        print(f"batch {i}: score {s:.1f}")


if __name__ == "__main__":
    main()
