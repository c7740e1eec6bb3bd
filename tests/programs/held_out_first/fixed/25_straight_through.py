"""Soft rounding with a hand-written derivative."""
import tensorflow as tf


def make_rounding(sharpness, loud_limit):
    """Returns a rounding operation whose backward pass is damped for large upstream values."""

    @tf.custom_gradient
    def soft_round(x):
        y = tf.round(x)

        def backward(upstream):
            slope = sharpness * tf.exp(-sharpness * tf.square(x - y))
            damping = tf.minimum(1.0, loud_limit / (tf.norm(upstream) + 1e-12))
            return upstream * damping * slope

        return y, backward

    return soft_round


class Quantizer(tf.Module):
    def __init__(self, n, rounding):
        super().__init__()
        self.scale = tf.Variable(tf.ones([n]) * 1.7)
        self.rounding = rounding

    def __call__(self, x):
        return self.rounding(x * self.scale) / self.scale


class Fit:
    def __init__(self, quantizer, rate=0.05):
        self.quantizer = quantizer
        self.rate = rate

    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x - self.quantizer(x)))
        grad = tape.gradient(loss, self.quantizer.scale)
        self.quantizer.scale.assign_sub(self.rate * grad)
        return loss


def main():
    tf.random.set_seed(25)
    fit = Fit(Quantizer(5, make_rounding(2.0, 0.5)))
    x = tf.random.normal([64, 5])
    losses = [float(fit.step(x)) for _ in range(10)]
    print("error %.4f -> %.4f" % (losses[0], losses[-1]))


if __name__ == "__main__":
    main()
