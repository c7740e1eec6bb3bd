"""Character sampler with a confidence switch."""
import numpy as np
import tensorflow as tf

CHARS = "abcdefghijklmnopqrstuvwxyz ."


class CharModel(tf.Module):
    def __init__(self, vocab, dim=16):
        super().__init__()
        g = tf.random.Generator.from_seed(3)
        self.emb = tf.Variable(g.normal((vocab, dim)))
        self.out = tf.Variable(g.normal((dim, vocab)))

    def logits(self, token):
        return tf.gather(self.emb, token) @ self.out


class Decoder:
    def __init__(self, model, temperature=0.8, confident=0.9):
        self.model = model
        self.temperature = temperature
        self.confident = confident

    def choose(self, logits):
        probs = tf.nn.softmax(logits / self.temperature)
        if tf.reduce_min(tf.reduce_max(probs, axis=-1)) > self.confident:
            token = tf.argmax(probs, axis=-1)
        else:
            draw = tf.random.categorical(tf.math.log(probs), 1, dtype=tf.int32)
            token = draw[:, 0]
        return token

    @tf.function
    def generate(self, start, length):
        out = tf.TensorArray(tf.int32, size=length)
        token = start
        for t in tf.range(length):
            token = self.choose(self.model.logits(token))
            out = out.write(t, token)
        return tf.transpose(out.stack())


def to_text(rows):
    return ["".join(CHARS[i] for i in row) for row in rows]


if __name__ == "__main__":
    tf.random.set_seed(0)
    decoder = Decoder(CharModel(len(CHARS)))
    start = tf.constant([CHARS.index(c) for c in "the"], tf.int32)
    ids = decoder.generate(start, tf.constant(20))
    for line in to_text(np.asarray(ids)):
        print(line)
