"""Wrap Python in `tf.py_function`, and conditions in `keras.ops.cond`."""
