from functools import partial

import tensorflow as tf

compiled = partial(tf.function, jit_compile=True)


@compiled
def update(weights, gradients):
    size = tf.linalg.global_norm(gradients)
    tf.print("gradient norm", size)  # <- GD901
    return [w - 0.1 * g / size for w, g in zip(weights, gradients)]
