import tensorflow as tf


@tf.function
def choose(mode, x):
    match mode:  # <- GD323
        case "double":
            x = 2 * x
        case _:
            x = x + 1
    if tf.reduce_sum(x) > 0:
        x = -x
    return x


@tf.function
def shrink(x):
    while (size := tf.norm(x)) > 1.0:  # <- GD322
        x = x / 2.0 + 0.0 * size
    return x
