"""Tabular regression with a small training harness; parameter groups are set up front."""
import keras
import numpy as np
import tensorflow as tf


class Net(keras.Model):
    def __init__(self, widths=(32, 16)):
        super().__init__()
        self.stack = [keras.layers.Dense(w, activation="relu") for w in widths]
        self.head = keras.layers.Dense(1)

    def call(self, x):
        for layer in self.stack:
            x = layer(x)
        return self.head(x)


class Harness:
    def __init__(self, model, lr=0.01, clip=1.0):
        self.model = model
        self.clip = clip
        self.groups = {"all": model.trainable_variables}
        self.opt = keras.optimizers.Adam(lr)

    def _clip(self, grads):
        return [tf.clip_by_norm(g, self.clip) for g in grads]

    @tf.function
    def update(self, x, y):
        params = self.groups["all"]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
        grads = self._clip(tape.gradient(loss, params))
        self.opt.apply(grads, params)
        return loss


def table(n=320):
    rng = np.random.default_rng(40)
    x = rng.normal(size=(n, 6)).astype("float32")
    y = (x[:, :1] * 2 - x[:, 1:2] + 0.1 * rng.normal(size=(n, 1))).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(32)


def main(epochs=5):
    keras.utils.set_random_seed(1)
    ds = table()
    net = Net()
    net(tf.zeros([1, 6]))
    harness = Harness(net)
    for epoch in range(epochs):
        losses = [float(harness.update(x, y)) for x, y in ds]
        print("epoch", epoch, "mean loss", round(sum(losses) / len(losses), 4))


if __name__ == "__main__":
    main()
