"""Set an option of a call: `tf.function`, `compile`, `fit`, a pipeline."""
