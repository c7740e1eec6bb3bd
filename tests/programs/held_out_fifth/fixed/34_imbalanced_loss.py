"""Binary classifier for rare events; the loss reweights batches that hold positives."""
import keras
import numpy as np
import tensorflow as tf


class BatchAwareLoss(keras.losses.Loss):
    """Cross entropy whose weights may depend on what the batch contains."""

    def applies(self, y_true):
        return False

    def weights(self, y_true):
        return tf.ones_like(y_true)

    def call(self, y_true, y_pred):
        y_true = tf.cast(y_true, y_pred.dtype)
        ce = tf.nn.sigmoid_cross_entropy_with_logits(labels=y_true, logits=y_pred)
        ce = tf.where(self.applies(y_true), ce * self.weights(y_true), ce)
        return tf.reduce_mean(ce, axis=-1)


class RareEventLoss(BatchAwareLoss):
    def __init__(self, boost=4.0, name="rare_event"):
        super().__init__(name=name)
        self.boost = boost

    def applies(self, y_true):
        return tf.reduce_sum(y_true) > 0

    def weights(self, y_true):
        share = tf.maximum(tf.reduce_mean(y_true), 1e-3)
        return 1.0 + (self.boost / share - 1.0) * 0.1 * y_true


def events(n=512, d=6):
    rng = np.random.default_rng(10)
    x = rng.normal(size=(n, d)).astype("float32")
    y = (x[:, :1] + x[:, 1:2] > 2.6).astype("float32")
    return x, y


def classifier(d):
    inputs = keras.Input((d,), name="features")
    h = keras.layers.Dense(16, activation="relu")(inputs)
    return keras.Model(inputs, keras.layers.Dense(1)(h))


def main():
    x, y = events()
    print("positives", int(y.sum()), "of", len(y))
    model = classifier(x.shape[1])
    loss = RareEventLoss()
    print("untrained loss", float(loss(y[:64], model(x[:64]))))
    model.compile(optimizer=keras.optimizers.Adam(1e-2), loss=loss)
    hist = model.fit(x, y, batch_size=64, epochs=3, verbose=0)
    print("trained loss", hist.history["loss"][-1])


if __name__ == "__main__":
    main()
