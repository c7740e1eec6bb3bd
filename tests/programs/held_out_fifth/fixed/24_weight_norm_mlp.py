"""Hand-written MLP with weight normalisation; layers are described by a plan."""
import numpy as np
import tensorflow as tf

PLAN = [("dense", 16), ("norm", None), ("act", None), ("dense", 1)]


def glorot(n_in, n_out):
    limit = np.sqrt(6.0 / (n_in + n_out))
    return tf.random.uniform([n_in, n_out], -limit, limit)


class Store:
    """Named parameters."""

    def __init__(self):
        self.params = {}

    def get(self, name, make):
        if name not in self.params:
            self.params[name] = tf.Variable(make(), name=name)
        return self.params[name]

    def all(self):
        return list(self.params.values())


def forward(store, x, plan=PLAN):
    for i, (kind, width) in enumerate(plan):
        if kind == "dense":
            n_in = x.shape[-1]
            w = store.get(f"w{i}", lambda: glorot(n_in, width))
            b = store.get(f"b{i}", lambda: tf.zeros([width]))
            x = x @ w + b
        elif kind == "norm":
            x = x / (1e-6 + tf.norm(x, axis=-1, keepdims=True))
        else:
            x = tf.nn.leaky_relu(x)
    return x


def make_step(store, lr):
    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(forward(store, x) - y))
        params = store.all()
        for p, g in zip(params, tape.gradient(loss, params)):
            p.assign_sub(lr * g)
        return loss

    return step


def main():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(128, 4)).astype("float32")
    y = np.sin(x[:, :1]).astype("float32")
    step = make_step(Store(), 0.1)
    for _ in range(30):
        loss = step(tf.constant(x), tf.constant(y))
    print("loss", float(loss))


if __name__ == "__main__":
    main()
