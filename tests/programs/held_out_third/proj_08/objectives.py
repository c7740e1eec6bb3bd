"""Losses and scores that ignore padding."""
import tensorflow as tf


def real_positions(lengths, width):
    """(batch, width) mask, 1.0 where there is a real token."""
    mask = tf.sequence_mask(lengths, dtype=tf.float32)
    return tf.pad(mask, [[0, 0], [0, width - tf.shape(mask)[1]]])


def masked_mean(values, lengths):
    keep = real_positions(lengths, values.shape[1])
    return tf.reduce_sum(values * keep) / tf.reduce_sum(keep)


def tagging_loss(lengths, tags, logits):
    nll = tf.nn.sparse_softmax_cross_entropy_with_logits(tags, logits)
    return masked_mean(nll, lengths)


def token_accuracy(lengths, tags, logits):
    guess = tf.argmax(logits, -1, output_type=tf.int32)
    return masked_mean(tf.cast(tf.equal(guess, tags), tf.float32), lengths)
