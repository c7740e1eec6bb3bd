"""Physics-informed network for u_t = a * u_xx on the unit square."""
import math

import tensorflow as tf
from tensorflow import keras


class HeatPINN:
    def __init__(self, alpha=0.1, width=24, lr=5e-3):
        self.alpha = alpha
        self.net = keras.Sequential([
            keras.Input((2,)),
            keras.layers.Dense(width, activation="tanh"),
            keras.layers.Dense(width, activation="tanh"),
            keras.layers.Dense(1),
        ])
        self.opt = keras.optimizers.Adam(lr)

    def u(self, x, t):
        return self.net(tf.concat([x, t], axis=1))

    def residual(self, x, t):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape(persistent=True) as inner:
                inner.watch([x, t])
                value = self.u(x, t)
            u_x = inner.gradient(value, x)
            u_t = inner.gradient(value, t)
        u_xx = outer.gradient(u_x, x)
        return u_t - self.alpha * u_xx

    def objective(self, interior, initial, walls):
        pde = self.residual(*interior)
        x0, t0 = initial
        ic = self.u(x0, t0) - tf.sin(math.pi * x0)
        bc = self.u(*walls)
        parts = {"pde": pde, "ic": ic, "bc": bc}
        terms = {k: tf.reduce_mean(tf.square(v)) for k, v in parts.items()}
        return tf.add_n(list(terms.values())), terms

    @tf.function
    def train_step(self, interior, initial, walls):
        with tf.GradientTape() as tape:
            loss, terms = self.objective(interior, initial, walls)
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss, terms

    def report(self, it, loss, terms):
        line = f"{it:4d} total {float(loss):.5f}"
        for name, value in terms.items():
            line += f"  {name} {float(value):.5f}"
        print(line)


def sample_points(gen, n=128):
    interior = (gen.uniform([n, 1]), gen.uniform([n, 1]))
    initial = (gen.uniform([n, 1]), tf.zeros([n, 1]))
    side = tf.cast(gen.uniform([n, 1]) > 0.5, tf.float32)
    walls = (side, gen.uniform([n, 1]))
    return interior, initial, walls


def main(iters=120, log_every=40):
    keras.utils.set_random_seed(0)
    gen = tf.random.Generator.from_seed(9)
    pinn = HeatPINN()
    for it in range(iters):
        loss, terms = pinn.train_step(*sample_points(gen))
        if it % log_every == 0:
            pinn.report(it, loss, terms)
    x = tf.constant([[0.5]])
    print("u(0.5, 0.2) =", float(pinn.u(x, tf.constant([[0.2]]))[0, 0]))


if __name__ == "__main__":
    main()
