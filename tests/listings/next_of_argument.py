import tensorflow as tf

external_var = tf.Variable(0)


@tf.function
def buggy_consume_next(iterator):
    external_var.assign_add(next(iterator))  # finds GD210
    tf.print("Value of external_var:", external_var)


iterator = iter([0, 1, 2, 3])
buggy_consume_next(iterator)
# This reuses the first value from the iterator, rather than consuming the next value
buggy_consume_next(iterator)
buggy_consume_next(iterator)
