import tensorflow as tf

from base import Trainer


class NoisyLabels(Trainer):
    """Trusts the labels less and less, and its own guess more."""

    def objective(self, batch, progress):
        x, y = batch
        logits = self.model(x, training=True)
        own = tf.stop_gradient(tf.sigmoid(logits))
        target = (1.0 - 0.5 * progress) * y + 0.5 * progress * own
        return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(target, logits))
