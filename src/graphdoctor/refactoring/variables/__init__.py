"""State that Python keeps and traced code reads → `tf.Variable`."""
