"""Multi-task regression, one head per task, with optional uncertainty weighting."""
from dataclasses import dataclass, field
from typing import Dict, List

import numpy as np
import tensorflow as tf


@dataclass(frozen=True)
class Options:
    tasks: List[str] = field(default_factory=lambda: ["mass", "charge", "spin"])
    uncertainty: bool = True
    trunk: int = 32
    depth: int = 3
    lr: float = 3e-3


class MultiTask(tf.Module):
    def __init__(self, opt: Options, n_in: int):
        super().__init__()
        self.opt = opt
        self.trunk = [tf.keras.layers.Dense(opt.trunk, activation="relu") for _ in range(opt.depth)]
        self.heads = {t: tf.keras.layers.Dense(1) for t in opt.tasks}
        self.log_sigma = {t: tf.Variable(0.0, name=f"log_sigma_{t}") for t in opt.tasks}
        x = tf.zeros((1, n_in))
        self(x)

    def __call__(self, x) -> Dict[str, tf.Tensor]:
        for layer in self.trunk:
            x = layer(x)
        return {t: self.heads[t](x)[:, 0] for t in self.opt.tasks}

    @property
    def params(self):
        weights = [w for layer in self.trunk + list(self.heads.values()) for w in layer.trainable_variables]
        if self.opt.uncertainty:
            weights += list(self.log_sigma.values())
        return weights


class Trainer:
    def __init__(self, net: MultiTask, opt: Options):
        self.net, self.opt = net, opt
        self.optimizer = tf.keras.optimizers.Adam(opt.lr)
        self.optimizer.build(net.params)

    @tf.function
    def step(self, x, targets):
        assert x.shape[1] == 5, "five detector channels expected"
        losses, logs = [], {}
        with tf.GradientTape() as tape:
            outputs = self.net(x)
            for task in self.opt.tasks:
                mse = tf.reduce_mean(tf.square(outputs[task] - targets[task]))
                logs[task] = mse
                if self.opt.uncertainty:
                    s = self.net.log_sigma[task]
                    mse = tf.exp(-2.0 * s) * mse + s
                losses.append(mse)
            total = tf.add_n(losses)
        grads = tape.gradient(total, self.net.params)
        self.optimizer.apply_gradients(zip(grads, self.net.params))
        logs["total"] = total
        return logs


def batches(n_batches, batch=64, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(n_batches):
        x = rng.normal(size=(batch, 5)).astype(np.float32)
        yield tf.constant(x), {
            "mass": tf.constant(x[:, 0] * x[:, 1]),
            "charge": tf.constant(np.sign(x[:, 2])),
            "spin": tf.constant(np.sin(2 * x[:, 3])),
        }


if __name__ == "__main__":
    tf.keras.utils.set_random_seed(0)
    options = Options()
    trainer = Trainer(MultiTask(options, 5), options)
    for i, (x, targets) in enumerate(batches(120)):
        logs = trainer.step(x, targets)
        if i % 40 == 0:
            print(i, {k: round(float(v), 3) for k, v in logs.items()})
