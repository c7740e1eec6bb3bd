import tensorflow as tf

from tied.layers import Embedding, TiedHead


class BigramModel(tf.Module):
    def __init__(self, size, width, seed):
        super().__init__()
        rng = tf.random.Generator.from_seed(seed)
        self.embedding = Embedding(size, width, rng)
        self.mix = tf.Variable(rng.normal([width, width]) * 0.3, name="mix")
        self.head = TiedHead(self.embedding)

    def __call__(self, ids):
        return self.head(tf.tanh(self.embedding(ids) @ self.mix))
