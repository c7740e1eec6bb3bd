import tensorflow as tf


@tf.function(jit_compile=True)
def newton(x, limit=1e-6):
    def condition(x, change):
        return tf.reduce_any(change > limit)

    def body(x, change):
        following = 0.5 * (x + 2.0 / x)
        return following, tf.abs(following - x)

    return tf.while_loop(condition, body, (x, tf.fill(tf.shape(x), float("inf"))))[0]


@tf.function
def bounded(x, steps: int = 10):
    outputs = []
    for step in range(steps):
        x = tf.tanh(x)
        outputs.append(x)
        if step == 5:
            break
    return tf.stack(outputs)
