"""An image that is optimized, as in style transfer."""

import keras
import tensorflow as tf

image = tf.Variable(tf.random.uniform([1, 8, 8, 3]))
features = keras.Sequential([keras.Input([8, 8, 3]), keras.layers.Conv2D(4, 3, activation="relu")])
wanted = features(tf.random.uniform([1, 8, 8, 3]))
optimizer = keras.optimizers.Adam(0.02)
optimizer.build([image])


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((features(image) - wanted) ** 2)
    optimizer.apply_gradients([(tape.gradient(loss, image), image)])
    image.assign(tf.clip_by_value(image, 0.0, 1.0))
    return loss


for _ in range(4):
    step()
