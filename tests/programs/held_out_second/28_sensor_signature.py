"""Anomaly scores for a stream of sensor rows; the scorer has a fixed signature."""
import collections
import csv
import io

import numpy as np
import tensorflow as tf

COLUMNS = ("temperature", "pressure", "flow")


def fake_csv(rows, seed=0):
    rng = np.random.default_rng(seed)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for _ in range(rows):
        writer.writerow(["%.3f" % v for v in rng.normal([20, 1, 5], [2, 0.1, 1])])
    return out.getvalue()


class Reader:
    def __init__(self, text, window):
        self.rows = csv.DictReader(io.StringIO(text))
        self.window = window

    def __iter__(self):
        buffer = collections.deque(maxlen=self.window)
        for row in self.rows:
            buffer.append([float(row[c]) for c in COLUMNS])
            if len(buffer) == self.window:
                yield np.array(buffer)


class Autoencoder(tf.Module):
    def __init__(self, window, code=3):
        super().__init__()
        self.size = window * len(COLUMNS)
        n = tf.random.stateless_normal
        self.down = tf.Variable(n([self.size, code], [5, 1]) * 0.1)
        self.up = tf.Variable(n([code, self.size], [5, 2]) * 0.1)
        self.mean = tf.constant([20.0, 1.0, 5.0])

    @tf.function(input_signature=[tf.TensorSpec([None, len(COLUMNS)], tf.float32)])
    def score(self, window):
        x = tf.reshape(window - self.mean, [1, self.size])
        with tf.GradientTape() as tape:
            error = tf.reduce_mean(tf.square(tf.tanh(x @ self.down) @ self.up - x))
        for v, g in zip((self.down, self.up), tape.gradient(error, (self.down, self.up))):
            v.assign_sub(0.05 * g)
        return error


def main():
    model = Autoencoder(window=4)
    scores = []
    for window in Reader(fake_csv(40), window=4):
        scores.append(float(model.score(tf.constant(window))))
    print("windows", len(scores), "first %.3f last %.3f" % (scores[0], scores[-1]))


if __name__ == "__main__":
    main()
