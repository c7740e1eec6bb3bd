"""`keras.ops.switch` whose functions bind the loop's value."""

import keras
import tensorflow as tf

branches = [lambda x, i=i: x * i for i in range(3)]


@tf.function
def pick(at, x):
    return keras.ops.switch(at, branches, x)


print([float(pick(tf.constant(at), tf.constant(1.0))) for at in range(3)])
