import tensorflow as tf


@tf.function
def pick(scores, boxes):
    best = None
    if tf.reduce_max(scores) > 0.5:
        best = boxes[tf.argmax(scores)]  # <- GD302
    return best
