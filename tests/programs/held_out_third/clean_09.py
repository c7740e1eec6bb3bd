"""Euler-Bernoulli beam: identify stiffness and quantised support positions (PINN, 2nd derivatives)."""
import math

import numpy as np
import tensorflow as tf


@tf.custom_gradient
def clipped_identity(x):
    def grad(dy):
        return tf.clip_by_norm(dy, 10.0)

    return tf.identity(x), grad


def snap(x, step=0.05):
    """Supports sit on a 5 cm grid; straight-through for the gradient."""
    return x + tf.stop_gradient(tf.round(x / step) * step - x)


class Beam(tf.Module):
    def __init__(self, width=16):
        super().__init__()
        g = tf.random.Generator.from_seed(0)
        sizes = [1, width, width, 1]
        self.w = [tf.Variable(g.normal([i, o], stddev=1.0 / math.sqrt(i))) for i, o in zip(sizes, sizes[1:])]
        self.b = [tf.Variable(tf.zeros([o])) for o in sizes[1:]]
        self.log_ei = tf.Variable(0.0)
        self.support = tf.Variable(0.33)
        self.calls = tf.Variable(0, trainable=False)

    def shape(self, x):
        for w, b in zip(self.w[:-1], self.b[:-1]):
            x = tf.tanh(x @ w + b)
        return x @ self.w[-1] + self.b[-1]

    def moment(self, x):
        with tf.GradientTape() as second:
            second.watch(x)
            with tf.GradientTape() as first:
                first.watch(x)
                y = self.shape(x)
            slope = first.gradient(y, x)
        curvature = second.gradient(slope, x)
        return y, slope, tf.exp(self.log_ei) * curvature


def objective(beam, x, load_moment, measured):
    y, _, m = beam.moment(x)
    physics = tf.reduce_mean(tf.square(clipped_identity(m) - load_moment))
    data = tf.reduce_mean(tf.square(y - measured))
    pin = tf.square(beam.shape(tf.reshape(snap(beam.support), [1, 1])))[0, 0]
    return {"physics": physics, "data": 50.0 * data, "pin": pin}


def make_step(beam, opt):
    variables = beam.trainable_variables

    @tf.function
    def step(x, load_moment, measured):
        with tf.GradientTape(persistent=True) as tape:
            terms = objective(beam, x, load_moment, measured)
            total = tf.add_n(list(terms.values()))
        grads = tape.gradient(total, variables)
        support_pull = tape.gradient(terms["pin"], beam.support)
        del tape
        opt.apply_gradients(zip(grads, variables))
        beam.calls.assign_add(1)
        return terms, support_pull

    return step


def main():
    x = tf.constant(np.linspace(0, 1, 64, dtype="float32")[:, None])
    truth = tf.sin(math.pi * x * 2.0) * 0.5
    moment = -0.5 * (2.0 * math.pi) ** 2 * 0.2 * tf.sin(2.0 * math.pi * x)
    beam = Beam()
    step = make_step(beam, tf.keras.optimizers.Adam(0.01))
    for i in range(200):
        terms, pull = step(x, moment, truth)
        if i % 50 == 0:
            text = "  ".join(f"{k} {v.numpy():.4f}" for k, v in terms.items())
            print(f"{beam.calls.numpy():4d} {text}  pull {float(pull):+.4f}")
    print("EI", float(tf.exp(beam.log_ei)), "support", float(snap(beam.support)))


if __name__ == "__main__":
    main()
