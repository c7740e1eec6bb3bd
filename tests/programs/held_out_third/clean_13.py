"""Time-series classification; augmentation code is the lab's old NumPy module."""
import argparse

import numpy as np
import tensorflow as tf
from tensorflow import keras

RNG = np.random.default_rng(123)
LENGTH = 40


def jitter_and_roll(x):
    """NumPy augmentation: random shift and amplitude. x: (LENGTH, 1) float32 array"""
    shift = int(RNG.integers(-6, 7))
    scale = RNG.uniform(0.8, 1.2)
    noise = RNG.normal(scale=0.03, size=x.shape)
    return (scale * np.roll(x, shift, axis=0) + noise).astype(np.float32)


def augment(x, y):
    shape = x.shape
    x = tf.numpy_function(jitter_and_roll, [x], tf.float32)
    x.set_shape(shape)                      # numpy_function forgets the static shape
    return x, y


def make_series(n, seed):
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 1, LENGTH)
    y = rng.integers(0, 2, size=n)
    freq = np.where(y == 1, 5.0, 3.0)[:, None]
    x = np.sin(2 * np.pi * (freq * t + rng.random((n, 1))))
    return x[..., None].astype(np.float32), y.astype(np.int32)


def pipeline(x, y, batch, training):
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    if training:
        ds = ds.cache().shuffle(len(x), seed=0).map(augment)   # cache before the random part
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=3)
    args = ap.parse_args()
    keras.utils.set_random_seed(0)
    train = pipeline(*make_series(256, 0), 32, training=True)
    test = pipeline(*make_series(96, 1), 32, training=False)
    a = next(iter(train))[0].numpy()
    b = next(iter(train))[0].numpy()
    print("two passes differ:", bool(np.abs(a - b).max() > 1e-3))
    model = keras.Sequential([
        keras.Input((LENGTH, 1)),
        keras.layers.Conv1D(16, 7, activation="relu"),
        keras.layers.GlobalMaxPooling1D(),
        keras.layers.Dense(2),
    ])
    model.compile(
        optimizer=keras.optimizers.Adam(2e-2),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    hist = model.fit(train, validation_data=test, epochs=args.epochs, verbose=0)
    print([round(v, 3) for v in hist.history["val_accuracy"]])


if __name__ == "__main__":
    main()
