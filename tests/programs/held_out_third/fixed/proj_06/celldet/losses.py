import tensorflow as tf


def objectness(logits, obj):
    ce = tf.nn.sigmoid_cross_entropy_with_logits(labels=obj, logits=logits[..., 0])
    return tf.reduce_mean(ce)


def box_error(pred, box, obj):
    """Mean absolute error over the occupied grid cells; nothing to do for empty fields."""
    occupied = obj > 0.5
    error = tf.constant(0.0)
    if tf.reduce_any(occupied):
        diff = tf.abs(tf.boolean_mask(pred, occupied) - tf.boolean_mask(box, occupied))
        error = tf.reduce_mean(diff)
    return error


def detection_loss(outputs, obj, box, box_weight):
    logits, pred = outputs
    return objectness(logits, obj) + box_weight * box_error(pred, box, obj)
