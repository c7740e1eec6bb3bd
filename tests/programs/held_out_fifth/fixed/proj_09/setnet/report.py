import tensorflow as tf


def attention_entropy(weights):
    return -tf.reduce_mean(tf.reduce_sum(weights * tf.math.log(weights + 1e-9), axis=1))


def describe(model, sets):
    entropy = attention_entropy(model.attention(sets))
    return f"attention entropy {float(entropy):.3f}"
