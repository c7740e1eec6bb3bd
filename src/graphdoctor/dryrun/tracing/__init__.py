"""What `tf.function` does: cache keys, signatures, AutoGraph conversion, and the operations of a graph."""
