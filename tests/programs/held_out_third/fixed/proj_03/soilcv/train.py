import numpy as np
import tensorflow as tf
from tensorflow import keras

from .data import batched
from .model import regressor

huber = keras.losses.Huber()


def make_fit_batch(net, optimizer):
    @tf.function
    def fit_batch(x, y):
        with tf.GradientTape() as tape:
            loss = huber(y, net(x, training=True))
        grads = tape.gradient(loss, net.trainable_variables)
        optimizer.apply_gradients(zip(grads, net.trainable_variables))
        return loss

    return fit_batch


def fit_fold(cfg, x, y):
    net = regressor(cfg)
    net.layers[0].adapt(x)
    fit_batch = make_fit_batch(net, keras.optimizers.Adam(cfg.lr))
    for _ in range(cfg.epochs):
        for bx, by in batched(cfg, x, y):
            fit_batch(bx, by)
    return net


def rmse(net, x, y):
    return float(np.sqrt(np.mean((net(x).numpy() - y) ** 2)))
