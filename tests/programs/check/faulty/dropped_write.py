import tensorflow as tf


@tf.function(input_signature=(tf.TensorSpec([None], tf.float32),))
def smooth(signal):
    length = tf.shape(signal)[0]
    result = tf.TensorArray(tf.float32, size=length)
    state = tf.constant(0.0)
    position = tf.constant(0)
    while position < length:
        state = 0.9 * state + 0.1 * signal[position]
        result.write(position, state)  # <- GD311
        position += 1
    return result.stack()
