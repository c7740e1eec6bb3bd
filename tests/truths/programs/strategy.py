"""A strategy with one device."""

import tensorflow as tf

strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
with strategy.scope():
    weight = tf.Variable(2.0)


@tf.function
def step(x):
    return strategy.run(lambda one: one * weight, args=(x,))


for _ in range(3):
    print(float(step(tf.constant(3.0))))
