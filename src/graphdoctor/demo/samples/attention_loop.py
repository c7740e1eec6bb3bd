"""An attention loop that collects its windows in a list, and dies in graph mode."""

import tensorflow as tf


class Attention(tf.Module):
    """Slides a soft window along a text, step by step."""

    def __init__(self):
        self.speed = tf.Variable(0.5)

    @tf.function
    def __call__(self, states, characters):
        steps = tf.shape(states)[1]
        position = tf.zeros([tf.shape(states)[0], 1])
        windows = []
        for t in tf.range(steps):
            state = tf.reduce_mean(states[:, t], axis=1, keepdims=True)
            position = position + self.speed * tf.nn.sigmoid(state)
            places = tf.cast(tf.range(tf.shape(characters)[1]), tf.float32)
            weight = tf.exp(-tf.square(position - places[tf.newaxis, :]))
            windows.append(tf.einsum("bu,buc->bc", weight, characters))
        return tf.stack(windows)


attention = Attention()
print(attention(tf.ones([2, 5, 3]), tf.ones([2, 7, 4])).shape)
