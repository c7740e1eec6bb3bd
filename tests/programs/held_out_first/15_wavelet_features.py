"""Features from a NumPy routine inside the input pipeline."""
import functools

import numpy as np
import tensorflow as tf
from tensorflow import keras


def numpy_op(dtype):
    """Lets a NumPy function be used as an element-wise map."""
    def wrap(fn):
        @functools.wraps(fn)
        def call(signal, label):
            features = tf.numpy_function(fn, [signal], dtype)
            return features, label
        return call
    return wrap


@numpy_op(tf.float32)
def haar_features(signal):
    levels = []
    while len(signal) > 1:
        pairs = signal.reshape(-1, 2)
        levels.append((pairs[:, 0] - pairs[:, 1]).std())
        signal = pairs.mean(axis=1)
    return np.array(levels, "float32")


def signals(n=160, length=64):
    rng = np.random.default_rng(15)
    label = rng.integers(0, 2, size=n)
    t = np.arange(length)[None]
    x = np.sin(t * np.where(label, 0.2, 1.5)[:, None]) + 0.2 * rng.normal(size=(n, length))
    return x.astype("float32"), label.astype("int32")


def pipeline(x, y, batch=32):
    ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x), seed=1)
    return ds.map(haar_features, num_parallel_calls=2).batch(batch).prefetch(1)


def classifier():
    return keras.Sequential([
        keras.layers.Dense(16, activation="relu"),
        keras.layers.Dense(2),
    ])


def main():
    keras.utils.set_random_seed(15)
    ds = pipeline(*signals())
    model = classifier()
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    history = model.fit(ds, epochs=3, verbose=0)
    print("accuracy", [round(v, 2) for v in history.history["accuracy"]])


if __name__ == "__main__":
    main()
