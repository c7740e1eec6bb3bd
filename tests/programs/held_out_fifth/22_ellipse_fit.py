"""Fits ellipse parameters (centre, axes, angle) to noisy contour points."""
import numpy as np
import tensorflow as tf


class EllipseParams(tf.Module):
    def __init__(self):
        super().__init__()
        self.raw = tf.Variable([0.0, 0.0, 0.3, 0.3, 0.1])

    def decode(self):
        centre, rest = self.raw[:2], self.raw[2:]
        log_a, log_b, angle = rest
        return centre, tf.exp(log_a), tf.exp(log_b), angle


def signed_distance(points, params):
    centre, a, b, angle = params.decode()
    c, s = tf.cos(angle), tf.sin(angle)
    rot = tf.stack([tf.stack([c, s]), tf.stack([-s, c])])
    local = tf.matmul(points - centre, rot, transpose_b=True)
    return tf.sqrt((local[:, 0] / a) ** 2 + (local[:, 1] / b) ** 2 + 1e-9) - 1.0


class ContourFit:
    def __init__(self, lr=0.05):
        self.params = EllipseParams()
        self.opt = tf.keras.optimizers.Adam(lr)
        self.opt.build([self.params.raw])

    @tf.function
    def refine(self, points):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(signed_distance(points, self.params)))
        grad = tape.gradient(loss, self.params.raw)
        self.opt.apply_gradients([(grad, self.params.raw)])
        return loss


def contour(n=120):
    rng = np.random.default_rng(14)
    t = rng.uniform(0, 2 * np.pi, n)
    pts = np.stack([2.0 * np.cos(t), 0.8 * np.sin(t)], axis=1)
    return (pts + [0.4, -0.2] + 0.02 * rng.normal(size=pts.shape)).astype("float32")


def main():
    fit = ContourFit()
    pts = tf.constant(contour())
    for _ in range(80):
        loss = fit.refine(pts)
    print("loss", float(loss), "raw", np.round(fit.params.raw.numpy(), 2))


if __name__ == "__main__":
    main()
