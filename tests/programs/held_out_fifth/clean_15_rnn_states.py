"""Custom recurrent cell in keras.layers.RNN, then sampling with explicit states."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class LeakyCell(layers.Layer):
    def __init__(self, units, leak=0.7, **kw):
        super().__init__(**kw)
        self.units = self.state_size = self.output_size = units
        self.leak = leak

    def build(self, shape):
        self.k = self.add_weight(shape=(shape[-1], self.units), name="k")
        self.r = self.add_weight(shape=(self.units, self.units), initializer="orthogonal", name="r")

    def call(self, x, states):
        (h,) = states
        new = self.leak * h + (1.0 - self.leak) * tf.tanh(tf.matmul(x, self.k) + tf.matmul(h, self.r))
        return new, [new]


cell = LeakyCell(12)
rnn = layers.RNN(cell, return_sequences=True, return_state=True)
head = layers.Dense(1)
inp = keras.Input((None, 1))
seq, _ = rnn(inp)
model = keras.Model(inp, head(seq))


@tf.function
def generate(seed, steps):
    h = tf.zeros([tf.shape(seed)[0], cell.units])
    x = seed
    out = tf.TensorArray(tf.float32, size=steps, element_shape=[None, 1])
    for i in tf.range(steps):
        y, states = cell(x, [h])
        h = states[0]
        x = head(y)
        out = out.write(i, x)
    return tf.transpose(out.stack(), [1, 0, 2])


def waves(n=64, length=20):
    t = np.arange(length + 1)[None] * 0.4 + np.random.default_rng(0).uniform(0, 6, (n, 1))
    s = np.sin(t)[..., None].astype("float32")
    return s[:, :-1], s[:, 1:]


def main():
    keras.utils.set_random_seed(1)
    x, y = waves()
    model.compile("adam", "mse")
    model.fit(x, y, epochs=2, batch_size=32, verbose=0)
    for steps in (5, 8, 12):
        path = generate(tf.constant([[0.5], [0.1]]), tf.constant(steps))
        print(path.shape, float(path[0, -1, 0]))


if __name__ == "__main__":
    main()
