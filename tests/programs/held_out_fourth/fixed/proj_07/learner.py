import keras
import tensorflow as tf

from losses import info_nce


class Learner:
    def __init__(self, cfg):
        self.net = keras.Sequential([
            keras.Input((cfg.dim,)),
            keras.layers.Dense(16, activation="relu"),
            keras.layers.Dense(cfg.embed),
        ])
        self.opt = keras.optimizers.SGD(cfg.lr, momentum=0.9)
        self.opt.build(self.net.trainable_variables)

    @tf.function
    def step(self, a, b, temperature):
        with tf.GradientTape() as tape:
            loss = info_nce(self.net(a, training=True), self.net(b, training=True), temperature)
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss
