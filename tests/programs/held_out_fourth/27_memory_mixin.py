"""A hand-written GRU classifier served with a flexible batch size."""
import numpy as np
import tensorflow as tf

VOCAB, DIM, UNITS = 30, 8, 12


class StateMixin:
    """Gives recurrent modules their first hidden state."""

    units = UNITS

    def initial_state(self, inputs):
        return tf.zeros([inputs.shape[0], self.units])


class Embedder(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.table = tf.Variable(tf.random.normal([VOCAB, DIM], stddev=0.1))

    def embed(self, ids):
        return tf.nn.embedding_lookup(self.table, ids)


class Encoder(StateMixin, Embedder):
    def __init__(self, units):
        super().__init__(name="encoder")
        self.units = units
        init = tf.random.normal
        self.wz = tf.Variable(init([DIM + units, units], stddev=0.1))
        self.wr = tf.Variable(init([DIM + units, units], stddev=0.1))
        self.wh = tf.Variable(init([DIM + units, units], stddev=0.1))

    def cell(self, x, h):
        xh = tf.concat([x, h], axis=-1)
        z = tf.sigmoid(xh @ self.wz)
        r = tf.sigmoid(xh @ self.wr)
        cand = tf.tanh(tf.concat([x, r * h], axis=-1) @ self.wh)
        return (1.0 - z) * h + z * cand

    def encode(self, ids):
        x = self.embed(ids)
        h = self.initial_state(x)
        for t in range(x.shape[1]):
            h = self.cell(x[:, t], h)
        return h


class Classifier(Encoder):
    def __init__(self, units=UNITS, classes=3):
        super().__init__(units)
        self.out = tf.Variable(tf.random.normal([units, classes], stddev=0.1))

    @tf.function(input_signature=[tf.TensorSpec([None, 6], tf.int32)])
    def predict(self, ids):
        return tf.nn.softmax(self.encode(ids) @ self.out)


def main():
    tf.random.set_seed(0)
    rng = np.random.default_rng(0)
    clf = Classifier()
    for batch in (1, 4, 9):
        ids = tf.constant(rng.integers(0, VOCAB, size=(batch, 6)), tf.int32)
        probs = clf.predict(ids)
        print(batch, probs.numpy().argmax(axis=1).tolist())


if __name__ == "__main__":
    main()
