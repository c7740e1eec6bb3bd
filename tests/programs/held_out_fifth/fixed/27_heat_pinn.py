"""Physics-informed network for the 1-D heat equation u_t = k u_xx."""
import numpy as np
import tensorflow as tf

CONDUCTIVITY = 0.1


def build(width=20):
    return tf.keras.Sequential(
        [
            tf.keras.layers.Input((2,)),
            tf.keras.layers.Dense(width, activation="tanh"),
            tf.keras.layers.Dense(width, activation="tanh"),
            tf.keras.layers.Dense(1),
        ]
    )


class HeatPINN:
    def __init__(self, lr=1e-3):
        self.net = build()
        self.opt = tf.keras.optimizers.Adam(lr)
        self.opt.build(self.net.trainable_variables)

    def u(self, x, t):
        return self.net(tf.concat([x, t], axis=1))

    def residual(self, x, t):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape(persistent=True) as inner:
                inner.watch([x, t])
                u = self.u(x, t)
            u_x = inner.gradient(u, x)
            u_t = inner.gradient(u, t)
        u_xx = outer.gradient(u_x, x)
        return u_t - CONDUCTIVITY * u_xx

    @tf.function
    def train_step(self, x, t, x0, u0):
        with tf.GradientTape() as tape:
            physics = tf.reduce_mean(tf.square(self.residual(x, t)))
            initial = tf.reduce_mean(tf.square(self.u(x0, tf.zeros_like(x0)) - u0))
            loss = physics + initial
        w = self.net.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, w), w))
        return loss


def collocation(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 1, size=(n, 1)).astype("float32")
    t = rng.uniform(0, 1, size=(n, 1)).astype("float32")
    return tf.constant(x), tf.constant(t)


def main():
    pinn = HeatPINN()
    x0 = tf.constant(np.linspace(0, 1, 32, dtype="float32")[:, None])
    u0 = tf.sin(np.pi * x0)
    for i in range(20):
        loss = pinn.train_step(*collocation(64, i), x0, u0)
    print("loss", float(loss))


if __name__ == "__main__":
    main()
