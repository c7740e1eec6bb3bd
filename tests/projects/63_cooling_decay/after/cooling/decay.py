import tensorflow as tf


class Decay:
    """A temperature that falls with use."""

    def __init__(self, begin, rate):
        self.value = tf.Variable(begin)
        self.rate = rate

    def advance(self):
        self.value.assign(self.value * self.rate)
