import tensorflow as tf


def sinkhorn(cost, rounds=8, eps=0.2):
    log_k = -cost / eps
    for _ in range(rounds):
        log_k -= tf.reduce_logsumexp(log_k, axis=1, keepdims=True)
        log_k -= tf.reduce_logsumexp(log_k, axis=0, keepdims=True)
    return tf.exp(log_k)
