import tensorflow as tf


@tf.function
def f(x):
    v = tf.Variable(1.0)  # finds GD401
    v.assign_add(x)
    return v


f(1.0)
