"""What the serving container loads: strings in, label names out."""
import tensorflow as tf

from vocab import LABELS, encode, word_table


class TicketRouter(tf.Module):
    def __init__(self, network, words, max_len):
        super().__init__()
        self.network = network
        self.words = tuple(words)
        self.table = word_table(self.words)  # tracked here, so that it is part of the export
        self.max_len = max_len
        self.label_names = tf.constant(LABELS)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="texts")])
    def route(self, texts):
        ids = encode(texts, self.words, self.max_len)
        prob = tf.nn.softmax(self.network(ids, training=False))
        best = tf.argmax(prob, axis=-1)
        return {"label": tf.gather(self.label_names, best), "confidence": tf.reduce_max(prob, axis=-1)}


def export(router, path):
    tf.saved_model.save(router, path, signatures={"serving_default": router.route})
    return path
