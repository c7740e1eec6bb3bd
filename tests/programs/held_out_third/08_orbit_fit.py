"""Infer the mass of a hidden planet from a test particle's observed track (leapfrog + gradients)."""
from dataclasses import dataclass

import numpy as np
import tensorflow as tf


@dataclass
class Sim:
    dt: float = 0.025
    t_end: float = 1.5
    soft: float = 0.05

    @property
    def n_steps(self):
        return int(round(self.t_end / self.dt))


class Gravity(tf.Module):
    """Star of unit mass at the origin, a planet of unknown mass at a known place."""

    def __init__(self, sim: Sim, planet_xy=(1.8, 0.4)):
        super().__init__()
        self.sim = sim
        self.planet = tf.constant(planet_xy)
        self.log_mass = tf.Variable(-3.0)

    def accel(self, pos):
        def pull(center, mass):
            d = center - pos
            r2 = tf.reduce_sum(d * d, axis=-1, keepdims=True) + self.sim.soft ** 2
            return mass * d * tf.math.rsqrt(r2) / r2

        return pull(tf.zeros([2]), 1.0) + pull(self.planet, tf.exp(self.log_mass))

    def kick_drift_kick(self, pos, vel):
        dt = self.sim.dt
        vel = vel + 0.5 * dt * self.accel(pos)
        pos = pos + dt * vel
        vel = vel + 0.5 * dt * self.accel(pos)
        return pos, vel

    def integrate(self, pos, vel):
        for _ in range(self.sim.n_steps):
            pos, vel = self.kick_drift_kick(pos, vel)
        return pos, vel


class MassFit:
    def __init__(self, world: Gravity, pos0, vel0, seen):
        self.world, self.pos0, self.vel0, self.seen = world, pos0, vel0, seen
        self.lr = 0.05

    @tf.function
    def step(self):
        with tf.GradientTape() as tape:
            end, _ = self.world.integrate(self.pos0, self.vel0)
            loss = tf.reduce_mean(tf.square(end - self.seen))
        g = tape.gradient(loss, self.world.log_mass)
        self.world.log_mass.assign_sub(self.lr * tf.sign(g))
        return loss


def main():
    rng = np.random.default_rng(2)
    angle = rng.uniform(0, 2 * np.pi, 16)
    pos0 = tf.constant(np.stack([np.cos(angle), np.sin(angle)], -1).astype("float32"))
    vel0 = tf.constant(np.stack([-np.sin(angle), np.cos(angle)], -1).astype("float32"))

    truth = Gravity(Sim())
    truth.log_mass.assign(np.log(0.12))
    seen, _ = truth.integrate(pos0, vel0)

    world = Gravity(Sim())
    fit = MassFit(world, pos0, vel0, seen)
    for i in range(25):
        loss = fit.step()
        if i % 8 == 0:
            print(f"iter {i:2d} loss {float(loss):.6f} mass {float(tf.exp(world.log_mass)):.4f}")


if __name__ == "__main__":
    main()
