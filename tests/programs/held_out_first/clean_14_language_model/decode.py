import tensorflow as tf


class Greedy:
    def __init__(self, model, max_tokens, end_id):
        self.model = model
        self.max_tokens = max_tokens
        self.end_id = end_id

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def __call__(self, token):
        out = tf.TensorArray(tf.int32, size=0, dynamic_size=True, element_shape=[])
        length = tf.constant(0)
        while length < self.max_tokens:
            token = tf.argmax(self.model.logits(token[None])[0], output_type=tf.int32)
            out = out.write(length, token)
            length += 1
            if token == self.end_id:
                break
        return out.stack()
