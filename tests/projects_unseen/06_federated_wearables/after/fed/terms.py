import tensorflow as tf


class ProximalTerm:
    """Keeps the model of a device near the model that the server sent (FedProx)."""

    def __init__(self, strength, clip):
        self.strength = strength
        self.clip = clip

    @classmethod
    def for_participation(cls, fraction):
        return cls(strength=0.1 / max(fraction, 0.1), clip=1.0)

    def __call__(self, weights, anchors):
        total = tf.add_n([tf.reduce_sum(tf.square(w - a)) for w, a in zip(weights, anchors)])
        return self.strength * tf.minimum(total, self.clip)
