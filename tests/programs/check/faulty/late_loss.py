import tensorflow as tf


def train(model, data, optimizer):
    for features, labels in data:
        with tf.GradientTape() as tape:
            logits = model(features, training=True)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))  # <- GD502
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
