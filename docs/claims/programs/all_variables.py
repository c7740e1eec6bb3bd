"""Gradients are missing when they are taken for `model.variables`

The moving statistics have no gradient; `model.variables` includes them, `model.trainable_variables`
does not.

Say instead: just that; the gradients in question are None.
"""

import keras
import tensorflow as tf

model = keras.Sequential([keras.Input([3]), keras.layers.BatchNormalization()])
with tf.GradientTape(persistent=True) as tape:
    loss = tf.reduce_sum(model(tf.random.normal([4, 3]), training=True) ** 2)
missing = [
    v.name for v, g in zip(model.variables, tape.gradient(loss, model.variables), strict=True) if g is None
]
rest = tape.gradient(loss, model.trainable_variables)
print("None for:", missing)
print("None among trainable_variables:", sum(gradient is None for gradient in rest))
print("verdict:", "true" if missing == ["moving_mean", "moving_variance"] and None not in rest else "false")
