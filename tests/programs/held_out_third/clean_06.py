"""RealNVP density model with settings fixed before training and knobs that move during it."""
import numpy as np
import tensorflow as tf


class Coupling(tf.Module):
    def __init__(self, flip, hidden=24, seed=0):
        super().__init__()
        g = tf.random.Generator.from_seed(seed)
        self.flip = flip
        self.w1 = tf.Variable(g.normal([1, hidden], stddev=0.5))
        self.b1 = tf.Variable(tf.zeros([hidden]))
        self.w2 = tf.Variable(g.normal([hidden, 2], stddev=0.05))
        self.b2 = tf.Variable(tf.zeros([2]))

    def __call__(self, x):
        a, b = tf.split(x, 2, axis=1)
        if self.flip:
            a, b = b, a
        h = tf.tanh(a @ self.w1 + self.b1) @ self.w2 + self.b2
        log_s, shift = tf.tanh(h[:, :1]), h[:, 1:]
        b = b * tf.exp(log_s) + shift
        pair = (b, a) if self.flip else (a, b)
        return tf.concat(pair, axis=1), log_s[:, 0]


class Flow(tf.Module):
    def __init__(self, depth=6):
        super().__init__()
        self.layers = [Coupling(flip=bool(i % 2), seed=i) for i in range(depth)]
        self.mean, self.scale = 0.0, 1.0
        self.temperature = tf.Variable(0.5, trainable=False)

    def adapt(self, x):
        """Standardisation constants; call once before training."""
        self.mean = x.mean(axis=0)
        self.scale = x.std(axis=0)
        return self

    def log_prob(self, x):
        z = (x - self.mean) / self.scale
        logdet = -float(np.sum(np.log(self.scale)))
        for layer in self.layers:
            z, ld = layer(z)
            logdet += ld
        prior = -0.5 * tf.reduce_sum(tf.square(z), axis=1) - float(np.log(2 * np.pi))
        return self.temperature * prior + logdet


def make_step(flow, optimizer, clip):
    variables = flow.trainable_variables

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            nll = -tf.reduce_mean(flow.log_prob(x))
        grads, norm = tf.clip_by_global_norm(tape.gradient(nll, variables), clip)
        optimizer.apply_gradients(zip(grads, variables))
        return nll, norm

    return step


def moons(n, seed=0):
    rng = np.random.default_rng(seed)
    t = rng.uniform(0, np.pi, n)
    up = rng.integers(0, 2, n)
    x = np.where(up, np.cos(t), 1 - np.cos(t))
    y = np.where(up, np.sin(t), 0.5 - np.sin(t))
    return (np.stack([x, y], 1) + rng.normal(0, 0.05, (n, 2))).astype("float32")


def main():
    x = moons(1024)
    flow = Flow().adapt(x)
    opt = tf.keras.optimizers.Adam(5e-3)
    step = make_step(flow, opt, clip=5.0)
    ds = tf.data.Dataset.from_tensor_slices(x).shuffle(1024).batch(128, drop_remainder=True)
    for epoch in range(6):
        flow.temperature.assign(min(1.0, 0.5 + 0.1 * epoch))
        if epoch == 4:
            opt.learning_rate.assign(1e-3)
        stats = np.array([[float(v) for v in step(batch)] for batch in ds])
        print(f"epoch {epoch} nll {stats[:, 0].mean():.3f} |g| {stats[:, 1].mean():.2f} "
              f"T {flow.temperature.numpy():.1f}")


if __name__ == "__main__":
    main()
