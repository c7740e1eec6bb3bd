import tensorflow as tf

LENGTH = 8


class TextPipeline:
    def __init__(self, vocab, batch=16):
        self.vocab = vocab
        self.batch = batch

    def pad(self, ids):
        return (ids + [0] * LENGTH)[:LENGTH]

    def lookup(self, text):
        return tf.constant(self.pad(self.vocab.encode(text.numpy().decode("utf-8"))), tf.int32)

    def encode(self, text, label):
        ids = tf.py_function(self.lookup, [text], tf.int32)
        ids.set_shape([LENGTH])
        return ids, label

    def build(self, pairs):
        texts, labels = zip(*pairs)
        ds = tf.data.Dataset.from_tensor_slices((list(texts), list(labels)))
        return ds.map(self.encode).batch(self.batch)
