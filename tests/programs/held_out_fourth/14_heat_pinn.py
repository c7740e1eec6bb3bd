"""Physics-informed net for u'' = -pi^2 sin(pi x), u(0) = u(1) = 0."""
import math

import numpy as np
import tensorflow as tf
import keras


class Poisson:
    def __init__(self, n_points=64):
        self.x = tf.reshape(tf.linspace(0.0, 1.0, n_points), [-1, 1])
        self.edges = tf.constant([[0.0], [1.0]])

    def source(self, x):
        return -math.pi ** 2 * tf.sin(math.pi * x)

    def exact(self, x):
        return tf.sin(math.pi * x)

    def residual(self, net, x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                u = net(x)
            u_x = inner.gradient(u, x)
        u_xx = outer.gradient(u_x, x)
        return u_xx - self.source(x)


class Solver:
    def __init__(self, problem, width=24, lr=1e-2):
        self.problem = problem
        self.net = keras.Sequential([keras.Input((1,)),
                                     keras.layers.Dense(width, activation="tanh"),
                                     keras.layers.Dense(width, activation="tanh"),
                                     keras.layers.Dense(1)])
        self.opt = keras.optimizers.Adam(lr)

    @tf.function
    def step(self):
        res = self.problem.residual(self.net, self.problem.x)
        with tf.GradientTape() as tape:
            interior = tf.reduce_mean(tf.square(res))
            border = tf.reduce_mean(tf.square(self.net(self.problem.edges)))
            loss = interior + 50.0 * border
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return interior, border

    def error(self):
        x = self.problem.x
        return float(tf.reduce_max(tf.abs(self.net(x) - self.problem.exact(x))))


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    solver = Solver(Poisson())
    for i in range(1, 601):
        interior, border = solver.step()
        if i % 200 == 0:
            print(f"{i} residual {float(interior):.4f} border {float(border):.6f}")
    print(f"max error {solver.error():.4f}")
