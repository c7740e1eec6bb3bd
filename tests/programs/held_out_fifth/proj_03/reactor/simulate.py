import tensorflow as tf

from .kinetics import rhs


class Simulator:
    def __init__(self, settings):
        self.s = settings

    def _advance(self, c, temp, feed_temp):
        dc, dtemp = rhs(c, temp, feed_temp, self.s)
        return c + self.s.dt * dc, temp + self.s.dt * dtemp

    @tf.function
    def final_state(self, feed_temp):
        c = tf.ones_like(feed_temp)
        temp = tf.identity(feed_temp)
        for _ in range(self.s.n_steps):
            c, temp = self._advance(c, temp, feed_temp)
        return c, temp
