"""Regime-switching demand forecast: one expert network per weather regime, routed per sample."""
import numpy as np
import tensorflow as tf

REGIMES = ("calm", "windy", "storm")


class Expert(tf.Module):
    def __init__(self, n_in, hidden, seed, name=None):
        super().__init__(name=name)
        g = tf.random.Generator.from_seed(seed)
        self.w1 = tf.Variable(g.normal([n_in, hidden], stddev=0.3))
        self.b1 = tf.Variable(tf.zeros([hidden]))
        self.w2 = tf.Variable(g.normal([hidden, 1], stddev=0.3))
        self.b2 = tf.Variable(tf.zeros([1]))

    def __call__(self, row):
        h = tf.tanh(tf.linalg.matvec(self.w1, row, transpose_a=True) + self.b1)
        return tf.linalg.matvec(self.w2, h, transpose_a=True) + self.b2


class RegimeForecaster(tf.Module):
    def __init__(self, n_in=4, hidden=12):
        super().__init__()
        self.experts = [Expert(n_in, hidden, 10 + i, name=r) for i, r in enumerate(REGIMES)]

    def route(self, row, regime):
        return tf.switch_case(regime, [lambda: expert(row) for expert in self.experts])

    def __call__(self, rows, regimes):
        out = tf.map_fn(
            lambda item: self.route(item[0], item[1]),
            (rows, regimes),
            fn_output_signature=tf.TensorSpec([1], tf.float32),
        )
        return tf.squeeze(out, -1)


class Session:
    def __init__(self, model, lr=0.05):
        self.model = model
        self.lr = lr

    @tf.function
    def step(self, rows, regimes, target):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(rows, regimes) - target))
        params = self.model.trainable_variables
        grads = tape.gradient(loss, params, unconnected_gradients=tf.UnconnectedGradients.ZERO)
        for p, g in zip(params, grads):
            p.assign_sub(self.lr * g)
        return loss


def demand(n, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, 4)).astype("float32")
    regimes = rng.integers(0, len(REGIMES), n).astype("int32")
    slope = np.array([1.0, -1.0, 0.2])[regimes]
    offset = np.array([0.0, 0.5, -1.5])[regimes]
    return rows, regimes, (slope * rows[:, 0] + offset).astype("float32")


def main():
    model = RegimeForecaster()
    session = Session(model)
    ds = tf.data.Dataset.from_tensor_slices(demand(256)).batch(32).repeat(8)
    for i, (rows, regimes, target) in enumerate(ds):
        loss = session.step(rows, regimes, target)
        if i % 16 == 0:
            print(f"{i:3d} mse {float(loss):.4f}")
    probe = tf.tile(tf.constant([[1.0, 0.0, 0.0, 0.0]]), [3, 1])
    for name, y in zip(REGIMES, model(probe, tf.constant([0, 1, 2])).numpy()):
        print(f"{name:6s} {y:+.3f}")


if __name__ == "__main__":
    main()
