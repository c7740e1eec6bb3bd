import keras
import tensorflow as tf

from quarry.gradients import present

optimizer = keras.optimizers.SGD(0.1)


def prepared(network, features):
    return network.encoder(features)


def update(network, features, target):
    hidden = prepared(network, features)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(network.head(hidden) - target))
    variables = network.trainable_variables
    optimizer.apply_gradients(present(tape.gradient(loss, variables), variables))
    return loss
