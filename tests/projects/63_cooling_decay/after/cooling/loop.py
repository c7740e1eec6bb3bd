import tensorflow as tf

from cooling.decay import Decay
from cooling.losses import energy


class Session:
    def __init__(self, weights):
        self.weights = weights
        self.decay = Decay(2.0, 0.9)

    def _descend(self, target, **options):
        with tf.GradientTape() as tape:
            loss = energy(self.weights, target, **options)
        self.weights.assign_sub(0.1 * tape.gradient(loss, self.weights))

    def _step(self, target, **options):
        self._descend(target, temperature=self.decay.value, **options)
        self.decay.advance()

    def run(self, steps):
        for _ in range(steps):
            self._step(tf.constant([1.0, 0.0]))
        print("temperature", round(float(self.decay.value), 3))
