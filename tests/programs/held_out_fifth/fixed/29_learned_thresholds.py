"""Learns per-channel thresholds of an alarm so that the alarm rate matches labels."""
import numpy as np
import tensorflow as tf


class Gate(tf.Module):
    """Fires where a channel lies above its threshold."""

    def __init__(self, channels):
        super().__init__()
        self.threshold = tf.Variable(tf.zeros([channels]))

    def __call__(self, x):
        return tf.nn.sigmoid(8.0 * (x - self.threshold))


class Alarm(tf.Module):
    def __init__(self, channels):
        super().__init__()
        self.gate = Gate(channels)
        self.mix = tf.Variable(tf.ones([channels]) / channels)

    def __call__(self, x):
        fired = self.gate(x)
        return tf.nn.sigmoid(4.0 * (tf.linalg.matvec(fired, self.mix) - 0.5))


def telemetry(n=300, channels=5):
    rng = np.random.default_rng(19)
    x = rng.normal(size=(n, channels)).astype("float32")
    y = ((x > 0.7).mean(axis=1) > 0.3).astype("float32")
    return tf.constant(x), tf.constant(y)


def fit(model, x, y, steps=40, lr=0.05):
    @tf.function
    def step():
        with tf.GradientTape() as tape:
            p = tf.clip_by_value(model(x), 1e-6, 1 - 1e-6)
            loss = -tf.reduce_mean(y * tf.math.log(p) + (1 - y) * tf.math.log(1 - p))
        grads = tape.gradient(loss, model.trainable_variables)
        for v, g in zip(model.trainable_variables, grads):
            if g is not None:
                v.assign_sub(lr * g)
        return loss

    return [float(step()) for _ in range(steps)]


def main():
    x, y = telemetry()
    model = Alarm(x.shape[1])
    curve = fit(model, x, y)
    print("loss", round(curve[0], 4), "->", round(curve[-1], 4))
    print("thresholds", np.round(model.gate.threshold.numpy(), 3))


if __name__ == "__main__":
    main()
