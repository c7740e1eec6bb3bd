"""Keras model with its own train_step and test_step (consistency regularisation)."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Consistent(keras.Model):
    def __init__(self, weight=0.3):
        super().__init__()
        self.weight = weight
        self.net = keras.Sequential([layers.Input((6,)), layers.Dense(16, activation="relu"), layers.Dense(3)])
        self.loss_tracker = keras.metrics.Mean(name="loss")
        self.acc = keras.metrics.SparseCategoricalAccuracy(name="acc")

    @property
    def metrics(self):
        return [self.loss_tracker, self.acc]

    def call(self, x, training=False):
        if training:
            x = x + tf.random.normal(tf.shape(x), stddev=0.05)
        return self.net(x)

    def _objective(self, x, y, training):
        a = self(x, training=training)
        b = self(x, training=training)
        ce = tf.nn.sparse_softmax_cross_entropy_with_logits(tf.cast(y, tf.int32), a)
        gap = tf.reduce_mean(tf.square(tf.nn.softmax(a) - tf.nn.softmax(b)), axis=-1)
        confident = tf.reduce_max(tf.nn.softmax(a), axis=-1) > 0.5
        return tf.reduce_mean(ce + self.weight * tf.where(confident, gap, tf.zeros_like(gap))), a

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss, logits = self._objective(x, y, True)
        grads = tape.gradient(loss, self.trainable_variables)
        grads, _ = tf.clip_by_global_norm(grads, 1.0)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        self.loss_tracker.update_state(loss)
        self.acc.update_state(y, logits)
        return {m.name: m.result() for m in self.metrics}

    def test_step(self, data):
        x, y = data
        loss, logits = self._objective(x, y, False)
        self.loss_tracker.update_state(loss)
        self.acc.update_state(y, logits)
        return {m.name: m.result() for m in self.metrics}


def main():
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(240, 6)).astype("float32")
    y = x[:, :3].argmax(1)
    model = Consistent()
    model.compile(optimizer=keras.optimizers.Adam(0.01))
    model.fit(x, y, epochs=3, batch_size=40, verbose=0)
    print(model.evaluate(x, y, batch_size=40, verbose=0, return_dict=True))


if __name__ == "__main__":
    main()
