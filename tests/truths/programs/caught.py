"""An exception that the program expects and catches."""

import tensorflow as tf


@tf.function
def joined(first, second):
    return tf.concat([first, second], 0)


try:
    joined(tf.ones([2, 3]), tf.ones([2, 4]))
except ValueError:
    print("they do not fit")
print(joined(tf.ones([2, 3]), tf.ones([1, 3])).shape)
