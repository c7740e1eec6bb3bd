"""Simulates damped pendulums and estimates the damping from the simulated path."""
import numpy as np
import tensorflow as tf


def derivative(state, damping):
    theta, omega = tf.unstack(state, axis=-1)
    return tf.stack([omega, -tf.sin(theta) - damping * omega], axis=-1)


def rk2(state, damping, dt):
    mid = state + 0.5 * dt * derivative(state, damping)
    return state + dt * derivative(mid, damping)


def simulate(start, damping, n, dt=0.05):
    path = tf.TensorArray(tf.float32, size=n, element_shape=[None, 2])
    state = start
    for i in tf.range(n):
        state = rk2(state, damping, dt)
        path = path.write(i, state)
    return path.stack()


@tf.function
def energy_profile(start, damping, n):
    path = simulate(start, damping, n)
    theta, omega = tf.unstack(path, axis=-1)
    return tf.reduce_mean(0.5 * omega**2 + 1.0 - tf.cos(theta), axis=1)


def plot_line(values, width=40):
    top = max(values.max(), 1e-9)
    return ["#" * int(width * v / top) for v in values[::20]]


def main():
    rng = np.random.default_rng(6)
    start = tf.constant(rng.uniform(-1, 1, size=(5, 2)), tf.float32)
    profile = energy_profile(start, tf.constant(0.1), tf.constant(100)).numpy()
    print("energy at start", profile[0], "at end", profile[-1])
    for line in plot_line(profile):
        print(line)


if __name__ == "__main__":
    main()
