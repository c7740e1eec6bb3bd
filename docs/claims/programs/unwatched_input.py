"""The gradient with respect to an input is None unless the tape watches it

A tape follows Variables only; a tensor has to be watched.

Say instead: just that.
"""

import keras
import tensorflow as tf

model = keras.Sequential([keras.Input([3]), keras.layers.Dense(4)])
x = tf.ones([2, 3])
with tf.GradientTape() as tape:
    logits = model(x)[:, 1]
unwatched = tape.gradient(logits, x)
with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(x)
    logits = model(x)[:, 1]
watched = tape.gradient(logits, x)
print("not watched:", unwatched)
print("watched:", watched.shape)
print("verdict:", "true" if unwatched is None and watched is not None else "false")
