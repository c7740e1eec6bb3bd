"""A model of characters is trained and then asked for one after the other."""

import numpy as np
import tensorflow as tf

text = "the quick brown fox jumps over the lazy dog " * 40
chars = sorted(set(text))
index = {c: i for i, c in enumerate(chars)}
ids = np.array([index[c] for c in text])


class Model(tf.keras.Model):
    def __init__(self, size):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(size, 16)
        self.gru = tf.keras.layers.GRU(32, return_sequences=True, return_state=True)
        self.out = tf.keras.layers.Dense(size)

    def call(self, x, states=None, return_state=False, training=False):
        x = self.embedding(x)
        x, states = self.gru(x, initial_state=states, training=training)
        x = self.out(x)
        return (x, states) if return_state else x


model = Model(len(chars))
data = (
    tf.data.Dataset.from_tensor_slices(ids)
    .batch(21, drop_remainder=True)
    .map(lambda s: (s[:-1], s[1:]))
    .shuffle(100)
    .batch(8, drop_remainder=True)
)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(data, epochs=3, verbose=0)


@tf.function(
    input_signature=[
        tf.TensorSpec([1, 1], tf.int64),
        tf.TensorSpec([1, 32], tf.float32),
        tf.TensorSpec([], tf.float32),
    ]
)
def next_char(char, state, temperature):
    logits, state = model(char, states=state, return_state=True)
    return tf.random.categorical(logits[:, -1] / temperature, 1), state


char, state, out = tf.constant([[0]], tf.int64), tf.zeros([1, 32]), []
for _ in range(60):
    char, state = next_char(char, state, 0.8)
    out.append(chars[int(char[0, 0])])
print(len("".join(out)))
