"""Pipeline with a py_function, shape set afterwards; a fresh shuffle for each epoch."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


def jitter(signal):
    rng = np.random.default_rng()
    return (signal.numpy() + rng.normal(0, 0.1, signal.shape)).astype("float32")


def load(signal, label):
    out = tf.py_function(jitter, [signal], tf.float32)
    out.set_shape([16])
    return out, label


def pipeline(n=64):
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, n)
    signal = np.sin(np.arange(16)[None] * (1 + label[:, None])).astype("float32")
    ds = tf.data.Dataset.from_tensor_slices((signal, label.astype("float32")))
    return ds.shuffle(n, reshuffle_each_iteration=True).map(load).batch(16)


def main():
    ds = pipeline()
    first = next(iter(ds))[0].numpy()
    second = next(iter(ds))[0].numpy()
    model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(1, activation="sigmoid")])
    model.compile(optimizer="adam", loss="binary_crossentropy")
    model.fit(ds, epochs=2, verbose=0)
    print("differs", bool(np.abs(first - second).max() > 0))


if __name__ == "__main__":
    main()
