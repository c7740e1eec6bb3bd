"""Truncated-BPTT load forecasting with a recurrent block that carries its state."""
from dataclasses import dataclass

import numpy as np
import tensorflow as tf


@dataclass
class Cfg:
    meters: int = 44
    batch: int = 16
    hours: int = 96
    chunk: int = 24
    units: int = 12
    lr: float = 0.02
    epochs: int = 2


class CarryGRU(tf.keras.layers.Layer):
    """GRU whose hidden state survives between chunks."""

    def __init__(self, cfg):
        super().__init__()
        self.rnn = tf.keras.layers.GRU(cfg.units, return_sequences=True, return_state=True)
        self.head = tf.keras.layers.Dense(1)
        self.state = self.add_weight(
            name="state", shape=(cfg.batch, cfg.units), initializer="zeros", trainable=False)

    def reset(self):
        self.state.assign(tf.zeros_like(self.state))

    def call(self, chunk):
        seq, last = self.rnn(chunk, initial_state=[tf.convert_to_tensor(self.state)])
        self.state.assign(tf.stop_gradient(last))
        return tf.squeeze(self.head(seq), -1)


def meter_loads(cfg, seed=0):
    rng = np.random.default_rng(seed)
    h = np.arange(cfg.hours + 1)
    phase = rng.uniform(0, 3, (cfg.meters, 1))
    loads = 1 + 0.5 * np.sin(2 * np.pi * (h + phase) / 24) + rng.normal(0, 0.05, (cfg.meters, len(h)))
    return loads.astype("float32")


def make_dataset(cfg):
    loads = meter_loads(cfg)
    ds = tf.data.Dataset.from_tensor_slices(loads)
    ds = ds.shuffle(cfg.meters, seed=0)
    return ds.batch(cfg.batch, drop_remainder=True).prefetch(1)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = CarryGRU(cfg)
        self.opt = tf.keras.optimizers.Adam(cfg.lr)

    @tf.function
    def chunk_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.net(x) - y))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss

    def run_series(self, loads):
        self.net.reset()
        total = 0.0
        for start in range(0, self.cfg.hours, self.cfg.chunk):
            x = loads[:, start : start + self.cfg.chunk, None]
            y = loads[:, start + 1 : start + self.cfg.chunk + 1]
            total += float(self.chunk_step(x, y))
        return total * self.cfg.chunk / self.cfg.hours

    def fit(self, ds):
        for epoch in range(self.cfg.epochs):
            losses = [self.run_series(loads) for loads in ds]
            print(f"epoch {epoch} mse {np.mean(losses):.4f}")


if __name__ == "__main__":
    tf.keras.utils.set_random_seed(0)
    cfg = Cfg()
    Trainer(cfg).fit(make_dataset(cfg))
