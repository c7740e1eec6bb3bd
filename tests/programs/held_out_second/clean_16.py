"""Keras layer with Python conditions only: flags, None, static rank."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Norm(keras.layers.Layer):
    def __init__(self, center=True, momentum=0.9, **kwargs):
        super().__init__(**kwargs)
        self.center, self.momentum = center, momentum
        self.last_rank = None

    def build(self, shape):
        self.mean = self.add_weight(shape=(shape[-1],), initializer="zeros", trainable=False, name="mean")
        self.gamma = self.add_weight(shape=(shape[-1],), initializer="ones", name="gamma")
        self.last_rank = len(shape)

    def call(self, x, training=False, mask=None):
        if mask is not None:
            x = x * tf.cast(mask, x.dtype)[..., None]
        if training and self.center:
            mean = tf.reduce_mean(x, axis=list(range(self.last_rank - 1)))
            self.mean.assign(self.momentum * self.mean + (1 - self.momentum) * mean)
        else:
            mean = self.mean
        if x.shape.rank > 2:
            x = tf.nn.relu(x)
        return (x - mean) * self.gamma


def main():
    keras.utils.set_random_seed(0)
    x = np.random.normal(3, 1, (64, 5)).astype("float32")
    model = keras.Sequential([keras.Input((5,)), Norm(), keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    model.fit(x, x[:, :1], epochs=3, verbose=0)
    print(model.predict(x[:4], verbose=0).shape, model.layers[0].mean.numpy().round(2))


if __name__ == "__main__":
    main()
