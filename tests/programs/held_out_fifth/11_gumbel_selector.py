"""Feature selection by a Gumbel-softmax gate whose temperature is lowered during fit()."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


@keras.saving.register_keras_serializable("demo")
class GumbelGate(layers.Layer):
    def __init__(self, keep, temperature=5.0, **kw):
        super().__init__(**kw)
        self.keep = keep
        self.temperature = temperature

    def build(self, shape):
        self.logits = self.add_weight(shape=(self.keep, shape[-1]), initializer="zeros", name="logits")

    def call(self, x, training=False):
        scores = self.logits
        if training:
            u = tf.random.uniform(tf.shape(scores), 1e-6, 1.0 - 1e-6)
            scores = scores - tf.math.log(-tf.math.log(u))
        gate = tf.nn.softmax(scores / self.temperature, axis=-1)
        self.add_loss(0.001 * tf.reduce_mean(tf.reduce_sum(gate * (1.0 - gate), axis=-1)))
        return tf.matmul(x, gate, transpose_b=True)


class Cooling(keras.callbacks.Callback):
    def __init__(self, layer, floor=0.1, rate=0.5):
        super().__init__()
        self.layer, self.floor, self.rate = layer, floor, rate

    def on_epoch_begin(self, epoch, logs=None):
        self.layer.temperature = max(self.floor, self.layer.temperature * self.rate)


def data(n=256, d=10):
    rng = np.random.default_rng(8)
    x = rng.normal(size=(n, d)).astype("float32")
    y = (x[:, 2] - 0.5 * x[:, 7])[:, None].astype("float32")
    return x, y


def main():
    gate = GumbelGate(keep=2)
    model = keras.Sequential([layers.Input((10,)), gate, layers.Dense(8, activation="relu"), layers.Dense(1)])
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse")
    x, y = data()
    hist = model.fit(x, y, epochs=6, batch_size=32, verbose=0, callbacks=[Cooling(gate)])
    print("losses", [round(v, 3) for v in hist.history["loss"]])
    print("temperature now", gate.temperature)
    print("picked", np.argmax(gate.logits.numpy(), axis=-1))


if __name__ == "__main__":
    main()
