"""Character model with a hand written recurrent cell."""
import time

import numpy as np
import tensorflow as tf

STEPS, HIDDEN, CHARS = 160, 24, 16


class PeepholeCell(tf.Module):
    def __init__(self, inputs, units):
        super().__init__()
        init = tf.keras.initializers.GlorotUniform(seed=1)
        self.kernel = tf.Variable(init([inputs + units, 4 * units]))
        self.peep = tf.Variable(tf.zeros([3, units]))
        self.bias = tf.Variable(tf.zeros([4 * units]))
        self.units = units

    def __call__(self, x, h, c):
        z = tf.concat([x, h], 1) @ self.kernel + self.bias
        i, f, g, o = tf.split(z, 4, axis=1)
        i = tf.sigmoid(i + self.peep[0] * c)
        f = tf.sigmoid(f + 1.0 + self.peep[1] * c)
        c = f * c + i * tf.tanh(g)
        o = tf.sigmoid(o + self.peep[2] * c)
        return o * tf.tanh(c), c


class CharModel(tf.Module):
    def __init__(self):
        super().__init__()
        self.cell = PeepholeCell(CHARS, HIDDEN)
        self.out = tf.Variable(tf.random.stateless_normal([HIDDEN, CHARS], [1, 2]) * 0.1)

    def unroll(self, ids):
        x = tf.one_hot(ids, CHARS)
        h = c = tf.zeros([tf.shape(ids)[0], HIDDEN])
        outputs = []
        for t in range(x.shape[1]):
            h, c = self.cell(x[:, t], h, c)
            outputs.append(h)
        return tf.stack(outputs, axis=1) @ self.out


model = CharModel()
optimizer = tf.keras.optimizers.Adam(3e-3)
optimizer.build(model.trainable_variables)


@tf.function
def train_step(ids):
    with tf.GradientTape() as tape:
        logits = model.unroll(ids[:, :-1])
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(ids[:, 1:], logits))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def text(n, seed=0):
    rng = np.random.default_rng(seed)
    phase = rng.integers(0, CHARS, (n, 1))
    return ((np.arange(STEPS + 1)[None] * 3 + phase) % CHARS).astype("int32")


if __name__ == "__main__":
    data = tf.data.Dataset.from_tensor_slices(text(16)).batch(8)
    for epoch in range(2):
        start = time.perf_counter()
        for ids in data:
            loss = train_step(ids)
        print("epoch %d loss %.4f (%.1f s)" % (epoch, float(loss), time.perf_counter() - start))
