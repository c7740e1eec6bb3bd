import tensorflow as tf

from decorators import compiled


@compiled()
def smooth(signal, kernel):
    padded = tf.pad(signal, [[0, 0], [2, 2]], mode="REFLECT")
    return tf.nn.conv1d(padded[..., None], kernel[:, None, None], 1, "VALID")[..., 0]


@compiled(reduce=True)
def energy(signal):
    return tf.reduce_mean(tf.square(signal), axis=1)
