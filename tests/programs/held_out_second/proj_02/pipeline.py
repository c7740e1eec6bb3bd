import tensorflow as tf

LENGTH = 8


class TextPipeline:
    def __init__(self, vocab, batch=16):
        self.vocab = vocab
        self.batch = batch

    def pad(self, ids):
        return (ids + [0] * LENGTH)[:LENGTH]

    def encode(self, text, label):
        words = text.numpy().decode("utf-8")
        return tf.constant(self.pad(self.vocab.encode(words)), tf.int32), label

    def build(self, pairs):
        texts, labels = zip(*pairs)
        ds = tf.data.Dataset.from_tensor_slices((list(texts), list(labels)))
        return ds.map(self.encode).batch(self.batch)
