"""A Python loop over the length of a tensor → `tf.while_loop`, for code that AutoGraph does not convert."""
