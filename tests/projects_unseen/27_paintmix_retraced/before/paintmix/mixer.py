import tensorflow as tf

from .pigments import NAMES, REFLECTANCE, absorption


class Mixer(tf.Module):
    """Colour of a mixture of pigments."""

    def __init__(self, ratios, names):
        super().__init__()
        self.ratios = tf.constant(ratios)
        self.pigment_names = tuple(names)

    @classmethod
    def basic(cls):
        return cls(absorption(REFLECTANCE), NAMES)

    def __call__(self, amounts):
        ratio = tf.linalg.matvec(self.ratios, amounts, transpose_a=True)
        return 1.0 + ratio - tf.sqrt(ratio * ratio + 2.0 * ratio)
