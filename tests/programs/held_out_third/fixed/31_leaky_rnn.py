"""Leaky continuous-time RNN (as in the neuroscience papers) on a delayed-recall task.

dh/dt = (-h + W r + U x + b) / tau,   r = tanh(h), Euler steps of size dt.
"""
import dataclasses
import time

import numpy as np
import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class Params:
    n_hidden: int = 32
    dt: float = 0.1
    tau: float = 0.5
    steps: int = 240
    cue: int = 20
    batch: int = 24
    iters: int = 6
    lr: float = 2e-3
    rate_cost: float = 1e-4


class CTRNN(tf.Module):
    def __init__(self, p: Params, n_in=2, n_out=1, name=None):
        super().__init__(name=name)
        init = tf.random_normal_initializer(stddev=1.2 / np.sqrt(p.n_hidden), seed=1)
        self.p = p
        self.w = tf.Variable(init((p.n_hidden, p.n_hidden)), name="w")
        self.u = tf.Variable(init((n_in, p.n_hidden)), name="u")
        self.b = tf.Variable(tf.zeros(p.n_hidden), name="b")
        self.out = tf.Variable(init((p.n_hidden, n_out)), name="out")

    def cell(self, x, h):
        r = tf.tanh(h)
        dh = (-h + r @ self.w + x @ self.u + self.b) / self.p.tau
        return h + self.p.dt * dh

    def simulate(self, x):
        """x: (batch, time, n_in) -> rates (batch, time, hidden), readout (batch, time, n_out)"""
        h = tf.zeros((tf.shape(x)[0], self.p.n_hidden))
        states = tf.scan(lambda h, x_t: self.cell(x_t, h), tf.transpose(x, [1, 0, 2]), initializer=h)
        rates = tf.tanh(tf.transpose(states, [1, 0, 2]))
        return rates, tf.einsum("bth,ho->bto", rates, self.out)


def recall_task(p: Params, rng):
    """Remember the sign of a cue until the go signal at the end."""
    x = np.zeros((p.batch, p.steps, 2), np.float32)
    sign = rng.choice([-1.0, 1.0], size=p.batch).astype(np.float32)
    x[:, :p.cue, 0] = sign[:, None]
    x[:, -p.cue:, 1] = 1.0
    y = np.zeros((p.batch, p.steps, 1), np.float32)
    y[:, -p.cue:, 0] = sign[:, None]
    mask = np.zeros_like(y)
    mask[:, -p.cue:] = 1.0
    return tf.constant(x), tf.constant(y), tf.constant(mask)


def make_train_step(net, opt, p):
    @tf.function
    def train_step(x, y, mask):
        with tf.GradientTape() as tape:
            rates, out = net.simulate(x)
            err = tf.reduce_sum(mask * tf.square(out - y)) / tf.reduce_sum(mask)
            loss = err + p.rate_cost * tf.reduce_mean(tf.square(rates))
        variables = list(net.trainable_variables)
        grads, norm = tf.clip_by_global_norm(tape.gradient(loss, variables), 1.0)
        opt.apply_gradients(zip(grads, variables))
        return err, norm

    return train_step


def main(p: Params = Params()):
    tf.random.set_seed(0)
    rng = np.random.default_rng(0)
    net = CTRNN(p)
    opt = tf.keras.optimizers.Adam(p.lr)
    step = make_train_step(net, opt, p)
    for i in range(p.iters):
        tic = time.time()
        err, norm = step(*recall_task(p, rng))
        print(f"iter {i}: err {float(err):.4f} |g| {float(norm):.3f}  {time.time() - tic:.2f}s")
    # tf.train.Checkpoint(net=net).save("ckpt/ctrnn")


if __name__ == "__main__":
    main()
