import tensorflow as tf

from ema import WeightAverage
import networks


def bce(logits, ones):
    labels = tf.ones_like(logits) if ones else tf.zeros_like(logits)
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))


class GAN:
    def __init__(self, settings):
        self.settings = settings
        self.g = networks.generator(settings)
        self.d = networks.discriminator(settings)
        self.g_opt = tf.keras.optimizers.Adam(settings["rate"], beta_1=0.5)
        self.d_opt = tf.keras.optimizers.Adam(settings["rate"], beta_1=0.5)
        self.average = WeightAverage(self.g, settings["ema"])

    @tf.function
    def step(self, real):
        noise = tf.random.normal([tf.shape(real)[0], self.settings["noise"]])
        with tf.GradientTape() as d_tape, tf.GradientTape() as g_tape:
            fake = self.g(noise, training=True)
            fake_logits, real_logits = self.d(fake, training=True), self.d(real, training=True)
            d_loss = bce(real_logits, True) + bce(fake_logits, False)
            g_loss = bce(fake_logits, True)
        self._apply(self.d_opt, d_tape, d_loss, self.d.trainable_variables)
        self._apply(self.g_opt, g_tape, g_loss, self.g.trainable_variables)
        self.average.update()
        return d_loss, g_loss

    def _apply(self, optimizer, tape, loss, variables):
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
