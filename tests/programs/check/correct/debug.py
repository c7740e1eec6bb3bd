import logging

import tensorflow as tf

log = logging.getLogger(__name__)
counts = {"traces": 0}


@tf.function
def step(x):
    counts["traces"] += 1
    log.info("tracing step for shape %s", x.shape)
    print("tracing", x.shape)
    tf.print("running", tf.reduce_mean(x))
    tf.debugging.assert_greater(x, 0.0)
    if tf.executing_eagerly():
        print(x.numpy())
    return tf.sqrt(x)


def main():
    print(step(tf.ones([3])).numpy(), counts["traces"])
