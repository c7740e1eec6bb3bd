"""Export of a bag-of-words scorer that takes raw strings."""
import os
import tempfile

import tensorflow as tf

VOCAB = ["good", "bad", "film", "story", "boring", "great", "actor"]
WEIGHTS = [1.2, -1.4, 0.0, 0.1, -0.9, 1.5, 0.05]


def make_lookup(words, oov=1):
    """word -> id, as a function."""
    init = tf.lookup.KeyValueTensorInitializer(
        tf.constant(words), tf.range(len(words), dtype=tf.int64))
    table = tf.lookup.StaticVocabularyTable(init, oov)
    return lambda tokens: table.lookup(tokens)


class Normalizer:
    def __call__(self, text):
        text = tf.strings.lower(text)
        return tf.strings.regex_replace(text, r"[^a-z ]", "")


class Scorer(tf.Module):
    def __init__(self, words, weights):
        super().__init__(name="scorer")
        self.normalize = Normalizer()
        self.lookup = make_lookup(words)
        self.weights = tf.Variable(weights + [0.0], dtype=tf.float32)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="text")])
    def score(self, text):
        tokens = tf.strings.split(self.normalize(text))
        ids = self.lookup(tokens.flat_values)
        values = tf.gather(self.weights, ids)
        total = tf.math.segment_sum(values, tokens.value_rowids())
        return {"score": total, "positive": total > 0.0}


def export(module, folder):
    path = os.path.join(folder, "scorer", "1")
    tf.saved_model.save(module, path, signatures={"serving_default": module.score})
    return path


def main():
    texts = tf.constant(["A great film, good actor!", "boring story and bad film"])
    scorer = Scorer(VOCAB, WEIGHTS)
    print("here  ", scorer.score(texts)["score"].numpy().round(2).tolist())
    with tempfile.TemporaryDirectory() as folder:
        loaded = tf.saved_model.load(export(scorer, folder))
        serve = loaded.signatures["serving_default"]
        print("loaded", serve(text=texts)["score"].numpy().round(2).tolist())


if __name__ == "__main__":
    main()
