import tensorflow as tf
from tensorflow.keras import layers, optimizers


@tf.function
def head(features, labels, variables):
    dense = layers.Dense(10)  # <- GD402
    optimizer = optimizers.Adam(1e-3)  # <- GD402
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(labels, dense(features)))
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss
