"""Model with several outputs, unpacked as Python structures."""
from typing import NamedTuple

import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Prediction(NamedTuple):
    mean: tf.Tensor
    scale: tf.Tensor


class Heads(keras.Model):
    def __init__(self):
        super().__init__()
        self.body = layers.Dense(16, activation="relu")
        self.mean = layers.Dense(1)
        self.scale = layers.Dense(1, activation="softplus")
        self.cls = layers.Dense(3)

    def call(self, x):
        h = self.body(x)
        return {"reg": (self.mean(h), self.scale(h)), "cls": self.cls(h)}


model = Heads()
model(tf.zeros([1, 4]))
opt = keras.optimizers.Adam(0.01)


def as_prediction(out):
    mean, scale = out["reg"]
    return Prediction(mean=mean, scale=scale + 1e-3), out["cls"]


@tf.function
def step(batch):
    x, (target, label) = batch
    with tf.GradientTape() as tape:
        pred, logits = as_prediction(model(x, training=True))
        reg = tf.reduce_mean(tf.square((target - pred.mean) / pred.scale) + 2.0 * tf.math.log(pred.scale))
        cls = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(label, logits))
        total = reg + cls
    opt.apply_gradients(zip(tape.gradient(total, model.trainable_variables), model.trainable_variables))
    first, *rest = tf.unstack(tf.stack([reg, cls, total]))
    low, high = tf.split(tf.sort(pred.mean[:, 0]), 2)
    return {"reg": first, "others": rest, "span": tf.reduce_max(high) - tf.reduce_min(low)}


def main():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(64, 4)).astype("float32")
    label = x[:, :3].argmax(1).astype("int32")
    ds = tf.data.Dataset.from_tensor_slices((x, (x[:, :1] * 2, label))).batch(16)
    for batch in ds.repeat(3):
        logs = step(batch)
    cls, total = logs["others"]
    print(float(logs["reg"]), float(cls), float(total), float(logs["span"]))


if __name__ == "__main__":
    main()
