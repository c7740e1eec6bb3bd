import tensorflow as tf

from config import cfg

smoothing = tf.Variable(cfg.label_smoothing, trainable=False)


def smoothed_targets(target):
    on = 1.0 - smoothing
    off = smoothing / (cfg.vocab - 1)
    return tf.one_hot(target, cfg.vocab, on_value=on, off_value=off)


def sequence_loss(target, logits):
    losses = tf.nn.softmax_cross_entropy_with_logits(labels=smoothed_targets(target), logits=logits)
    return tf.reduce_mean(losses)


def confidence(target):
    return tf.reduce_max(smoothed_targets(target))
