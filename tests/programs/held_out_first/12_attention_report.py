"""Document classifier that reports where it looks."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


class AttentivePooling(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.score = keras.Sequential([keras.layers.Dense(units, activation="tanh"), keras.layers.Dense(1)])
        self.focus = None

    def build(self, shape):
        self.score.build(shape)

    def call(self, x):
        weights = tf.nn.softmax(self.score(x), axis=1)
        self.focus = tf.squeeze(weights, -1)
        return tf.reduce_sum(weights * x, axis=1)


class DocumentClassifier(keras.Model):
    def __init__(self, vocab, classes):
        super().__init__()
        self.embed = keras.layers.Embedding(vocab, 8)
        self.pool = AttentivePooling(8)
        self.head = keras.layers.Dense(classes)

    def call(self, ids):
        return self.head(self.pool(self.embed(ids)))


class FocusReport(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.entropies = []

    def on_epoch_end(self, epoch, logs=None):
        focus = self.model.pool.focus
        entropy = -tf.reduce_sum(focus * tf.math.log(focus + 1e-9), axis=1)
        self.entropies.append(float(tf.reduce_mean(entropy)))


def corpus(n=96, length=12, vocab=30):
    rng = np.random.default_rng(6)
    ids = rng.integers(3, vocab, size=(n, length))
    labels = rng.integers(0, 2, size=n)
    ids[np.arange(n), rng.integers(0, length, size=n)] = labels + 1
    return ids, labels


def main():
    keras.utils.set_random_seed(6)
    ids, labels = corpus()
    model = DocumentClassifier(30, 2)
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    report = FocusReport()
    model.fit(ids, labels, batch_size=32, epochs=3, verbose=0, callbacks=[report])
    print("entropy of the attention:", [round(e, 3) for e in report.entropies])


if __name__ == "__main__":
    main()
