import numpy as np
import tensorflow as tf
from tensorflow import keras

from .data import batched
from .model import regressor

huber = keras.losses.Huber()


@tf.function
def fit_batch(net, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = huber(y, net(x, training=True))
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    return loss


def fit_fold(cfg, x, y):
    net = regressor(cfg)
    net.layers[0].adapt(x)
    optimizer = keras.optimizers.Adam(cfg.lr)
    for _ in range(cfg.epochs):
        for bx, by in batched(cfg, x, y):
            fit_batch(net, optimizer, bx, by)
    return net


def rmse(net, x, y):
    return float(np.sqrt(np.mean((net(x).numpy() - y) ** 2)))
