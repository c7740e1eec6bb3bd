import abc

import tensorflow as tf
import keras

from history import History
import nets


class BaseTrainer(abc.ABC):
    """Epoch loop, logging and the compiled step; subclasses give `losses_and_grads`."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.history = History()

    @abc.abstractmethod
    def update(self, real):
        """One optimisation step; returns a dict of scalars."""

    @tf.function
    def step(self, real):
        return self.update(real)

    def fit(self, stream):
        for epoch in range(self.cfg.epochs):
            for _ in range(self.cfg.steps_per_epoch):
                self.history.record(**self.step(next(stream)))
            row = self.history.summarise()
            print(f"epoch {epoch} " + "  ".join(f"{k} {v:.4f}" for k, v in row.items()))


class GANTrainer(BaseTrainer):
    def __init__(self, cfg):
        super().__init__(cfg)
        self.gen = nets.generator(cfg)
        self.disc = nets.discriminator(cfg)
        self.opt_g = keras.optimizers.Adam(cfg.lr_g, beta_1=0.5)
        self.opt_d = keras.optimizers.Adam(cfg.lr_d, beta_1=0.5)
        self.opt_g.build(self.gen.trainable_variables)
        self.opt_d.build(self.disc.trainable_variables)
        self.bce = keras.losses.BinaryCrossentropy(from_logits=True, label_smoothing=cfg.label_smoothing)

    def update(self, real):
        z = tf.random.normal((tf.shape(real)[0], self.cfg.latent))
        with tf.GradientTape() as tape_d, tf.GradientTape() as tape_g:
            fake = self.gen(z, training=True)
            d_real = self.disc(real, training=True)
            d_fake = self.disc(fake, training=True)
            loss_d = self.bce(tf.ones_like(d_real), d_real) + self.bce(tf.zeros_like(d_fake), d_fake)
            loss_g = self.bce(tf.ones_like(d_fake), d_fake)
        grads_d = tape_d.gradient(loss_d, self.disc.trainable_variables)
        grads_g = tape_g.gradient(loss_g, self.gen.trainable_variables)
        self.opt_d.apply_gradients(zip(grads_d, self.disc.trainable_variables))
        self.opt_g.apply_gradients(zip(grads_g, self.gen.trainable_variables))
        return {"d": loss_d, "g": loss_g, "spread": tf.math.reduce_std(fake)}

    def sample(self, n):
        return self.gen(tf.random.normal((n, self.cfg.latent)), training=False).numpy()
