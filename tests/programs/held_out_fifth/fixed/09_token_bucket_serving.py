"""Online scoring with an exponentially decayed click-rate: older counts fade with wall time."""
import time

import tensorflow as tf


class Clock:
    """Seconds since the service came up."""

    def __init__(self):
        self._t0 = tf.timestamp()

    @property
    def now(self):
        return tf.timestamp() - self._t0


class DecayedRate(tf.Module):
    def __init__(self, slots, half_life, clock):
        super().__init__()
        self.clock = clock
        self.half_life = half_life
        self.mass = tf.Variable(tf.zeros([slots]))
        self.stamp = tf.Variable(tf.zeros([slots]))

    def _fade(self, idx, t):
        age = t - tf.gather(self.stamp, idx)
        return tf.gather(self.mass, idx) * tf.pow(0.5, age / self.half_life)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def hit(self, idx):
        t = tf.cast(self.clock.now, tf.float32)
        faded = self._fade(idx, t)
        self.mass.scatter_update(tf.IndexedSlices(faded + 1.0, idx))
        self.stamp.scatter_update(tf.IndexedSlices(tf.fill(tf.shape(idx), t), idx))
        return faded + 1.0


def main():
    rate = DecayedRate(slots=5, half_life=0.05, clock=Clock())
    requests = [[0, 1], [1], [1, 2], [3, 1], [1]]
    for ids in requests:
        out = rate.hit(tf.constant(ids))
        print(ids, [round(float(v), 3) for v in out])
        time.sleep(0.1)
    print("mass", rate.mass.numpy())
    print("stamps", rate.stamp.numpy())


if __name__ == "__main__":
    main()
