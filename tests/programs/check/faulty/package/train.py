import tensorflow as tf

from . import losses


@tf.function
def step(model, features, labels):
    with tf.GradientTape() as tape:
        loss = losses.focal_loss(labels, model(features))
    return tape.gradient(loss, model.trainable_variables)
