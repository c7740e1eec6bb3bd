"""Neural ODE: adaptive number of Euler steps, whole trajectory returned, compiled by XLA."""
import numpy as np
import tensorflow as tf


class VectorField(tf.Module):
    def __init__(self, dim=2, width=16):
        super().__init__()
        self.w1 = tf.Variable(tf.random.stateless_normal([dim, width], [0, 1]) * 0.5)
        self.w2 = tf.Variable(tf.random.stateless_normal([width, dim], [0, 2]) * 0.5)

    def __call__(self, y):
        return tf.tanh(y @ self.w1) @ self.w2


class Integrator:
    def __init__(self, field, dt=0.1):
        self.field = field
        self.dt = dt

    def advance(self, y):
        k1 = self.field(y)
        k2 = self.field(y + self.dt * k1)
        return y + 0.5 * self.dt * (k1 + k2)

    def trajectory(self, y0, steps):
        path = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=y0.shape)
        y = y0
        for i in tf.range(steps):
            y = self.advance(y)
            path = path.write(i, y)
        return path.stack()


def compile_solver(integrator, **options):
    return tf.function(integrator.trajectory, **options)


def reference(field, y, steps, dt):
    w1, w2 = field.w1.numpy(), field.w2.numpy()
    f = lambda v: np.tanh(v @ w1) @ w2
    for _ in range(steps):
        k1 = f(y)
        y = y + 0.5 * dt * (k1 + f(y + dt * k1))
    return y


def main():
    field = VectorField()
    integrator = Integrator(field)
    solve = compile_solver(integrator, jit_compile=True)
    y0 = np.random.default_rng(0).normal(size=(4, 2)).astype("float32")
    path = solve(tf.constant(y0), tf.constant(20))
    print("path", path.shape)
    if len(path):
        print("difference to NumPy %.6f" % np.abs(path[-1].numpy() - reference(field, y0, 20, 0.1)).max())


if __name__ == "__main__":
    main()
