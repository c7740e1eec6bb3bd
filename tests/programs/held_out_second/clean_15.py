"""Beam of tensors in a TensorFlow loop with a TensorArray, early break by a tensor."""
import tensorflow as tf


class Sampler(tf.Module):
    def __init__(self, vocab=12, units=8):
        super().__init__()
        self.embed = tf.Variable(tf.random.stateless_normal([vocab, units], [2, 1]))
        self.w = tf.Variable(tf.random.stateless_normal([units, units], [2, 2]) * 0.5)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32), tf.TensorSpec([], tf.int32)])
    def generate(self, start, limit):
        state = tf.gather(self.embed, start)
        out = tf.TensorArray(tf.int32, size=0, dynamic_size=True, clear_after_read=False)
        done = tf.zeros_like(start, tf.bool)
        for i in tf.range(limit):
            state = tf.tanh(state @ self.w)
            token = tf.argmax(state @ tf.transpose(self.embed), 1, output_type=tf.int32)
            out = out.write(i, token)
            done = done | (token == 3)
            state += tf.gather(self.embed, token)
            if tf.reduce_all(done):
                break
        return tf.transpose(out.stack())


if __name__ == "__main__":
    sampler = Sampler()
    for n in (4, 7):
        print(sampler.generate(tf.constant([1, 2]), tf.constant(n)).shape)
