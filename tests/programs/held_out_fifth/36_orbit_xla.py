"""Leapfrog integration of small bodies, compiled with XLA."""
import functools

import numpy as np
import tensorflow as tf

compiled = functools.partial(tf.function, jit_compile=True)


def gravity(pos, eps=1e-2):
    d = pos[None, :, :] - pos[:, None, :]
    r2 = tf.reduce_sum(d * d, axis=-1, keepdims=True) + eps
    return tf.reduce_sum(d * tf.pow(r2, -1.5), axis=1)


class Tape:
    """Growing record of snapshots."""

    @staticmethod
    def new():
        return tf.TensorArray(tf.float32, size=0, dynamic_size=True, clear_after_read=False)


@compiled
def integrate(pos, vel, dt):
    frames = Tape.new()
    for i in tf.range(40):
        vel = vel + 0.5 * dt * gravity(pos)
        pos = pos + dt * vel
        vel = vel + 0.5 * dt * gravity(pos)
        frames = frames.write(i, pos)
    return pos, vel, frames.stack()


def energy(vel):
    return float(tf.reduce_sum(0.5 * vel**2))


def main():
    rng = np.random.default_rng(3)
    pos = tf.constant(rng.normal(size=(4, 3)), tf.float32)
    vel = tf.constant(0.1 * rng.normal(size=(4, 3)), tf.float32)
    pos, vel, frames = integrate(pos, vel, tf.constant(0.01))
    print("kinetic energy", energy(vel))
    print("frames", frames.shape, "spread over time", np.std(frames.numpy()))


if __name__ == "__main__":
    main()
