import tensorflow as tf


class Decoder(tf.Module):
    def __init__(self, cell, longest):
        super().__init__()
        self.cell = cell
        self.longest = longest

    @tf.function
    def __call__(self, state):
        tokens = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        token = tf.zeros([tf.shape(state)[0]], tf.int32)
        finished = tf.constant(False)
        for step in tf.range(self.longest):
            logits, state = self.cell(token, state)
            token = tf.argmax(logits, axis=-1, output_type=tf.int32)
            tokens = tokens.write(step, token)
            if tf.reduce_all(token == 0):
                finished = tf.constant(True)
                break
        return tokens.stack(), finished
