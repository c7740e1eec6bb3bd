import tensorflow as tf


class Lazy(tf.Module):
    def __init__(self):
        super().__init__()
        self.weights = None

    @tf.function
    def __call__(self, x):
        if self.weights is None:
            self.weights = tf.Variable(tf.random.normal([x.shape[-1], 4]))
        return x @ self.weights


@tf.function
def branchy(x, training=False):
    if training:
        y = tf.nn.dropout(x, 0.5)
    else:
        y = x
    total = tf.constant(0.0)
    for row in y:
        if tf.reduce_sum(row) < 0.0:
            continue
        total += tf.reduce_sum(row)
    return total if tf.size(y) > 0 else tf.constant(-1.0)
