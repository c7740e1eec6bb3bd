"""State in variables, counted in the graph."""

import tensorflow as tf

count = tf.Variable(0)
best = tf.Variable(0.0)


@tf.function
def note(x):
    count.assign_add(1)
    best.assign(tf.maximum(best, tf.reduce_max(x)))
    return count.read_value()


for value in (1.0, 3.0, 2.0):
    note(tf.constant([value]))
print(int(count), float(best))
