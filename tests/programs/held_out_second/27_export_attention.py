"""Train a small attention model and export a serving function."""
import pathlib
import tempfile

import numpy as np
import tensorflow as tf

HEADS, DIM = 2, 8


class Attention(tf.keras.layers.Layer):
    def __init__(self, heads=HEADS, dim=DIM, **kwargs):
        super().__init__(**kwargs)
        self.heads, self.depth = heads, dim // heads
        self.qkv = tf.keras.layers.Dense(3 * dim)
        self.out = tf.keras.layers.Dense(dim)

    def split(self, x):
        batch, length = x.shape[0], x.shape[1]
        x = tf.reshape(x, (batch, length, self.heads, self.depth))
        return tf.transpose(x, [0, 2, 1, 3])

    def call(self, x):
        q, k, v = (self.split(part) for part in tf.split(self.qkv(x), 3, axis=-1))
        weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / self.depth ** 0.5)
        merged = tf.transpose(tf.matmul(weights, v), [0, 2, 1, 3])
        return self.out(tf.reshape(merged, (merged.shape[0], -1, self.heads * self.depth)))


class Scorer(tf.Module):
    def __init__(self):
        super().__init__()
        self.inp = tf.keras.layers.Dense(DIM)
        self.att = Attention()
        self.head = tf.keras.layers.Dense(1)

    def weights(self):
        return [v for layer in (self.inp, self.att, self.head) for v in layer.trainable_variables]

    def __call__(self, x):
        return self.head(tf.reduce_mean(self.att(self.inp(x)), axis=1))

    @tf.function(input_signature=[tf.TensorSpec([None, 5, 3], tf.float32, name="features")])
    def serve(self, features):
        return {"score": self(features)}


def train(model, x, y, steps=20):
    optimizer = tf.keras.optimizers.Adam(1e-2)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        grads = tape.gradient(loss, model.weights())
        optimizer.apply_gradients(zip(grads, model.weights()))
    return float(loss)


def main():
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(16, 5, 3)), tf.float32)
    y = tf.reduce_max(x[..., 0], axis=1, keepdims=True)
    model = Scorer()
    print("loss %.4f" % train(model, x, y))
    path = pathlib.Path(tempfile.mkdtemp()) / "scorer"
    tf.saved_model.save(model, str(path), signatures=model.serve)
    loaded = tf.saved_model.load(str(path))
    print("served", loaded.signatures["serving_default"](x[:2])["score"].shape)


if __name__ == "__main__":
    main()
