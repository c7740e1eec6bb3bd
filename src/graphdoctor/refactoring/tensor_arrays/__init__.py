"""A Python list that a graph loop fills → `tf.TensorArray`."""
