import keras
import tensorflow as tf

from losses import TERMS


class Stepper:
    def __init__(self, net, lr):
        self.net = net
        self.opt = keras.optimizers.Adam(lr)
        self.opt.build(net.trainable_variables)

    @tf.function
    def __call__(self, x, y, phase):
        with tf.GradientTape() as tape:
            loss = tf.constant(0.0)
            for name, term in TERMS.items():
                if phase.weight(name) > 0.0:
                    loss += phase.weight(name) * term(self.net, x, y)
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss
