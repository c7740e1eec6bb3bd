import tensorflow as tf

from intent import config, vocab


class IntentModel(tf.Module):
    def __init__(self):
        super().__init__()
        g = tf.random.Generator.from_seed(0)
        n, k = len(config.WORDS) + 1, len(config.INTENTS)
        self.emb = tf.Variable(g.normal([n, config.WIDTH]) * 0.1)
        self.out = tf.Variable(g.normal([config.WIDTH, k]) * 0.1)
        self.table = vocab.word_table()
        self.intents = tf.constant(config.INTENTS)

    def logits(self, texts):
        ids = vocab.encode(texts, config.LENGTH)
        return tf.reduce_mean(tf.gather(self.emb, ids), axis=1) @ self.out

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def serve(self, texts):
        return {"intent": tf.gather(self.intents, tf.argmax(self.logits(texts), -1))}
