"""Tone classification: numpy spectra in a tf.data pipeline, Keras on top."""
from functools import partial

import keras
import numpy as np
import tensorflow as tf

RATE, LENGTH, BINS = 800, 128, 32


def tone(freq, rng):
    t = np.arange(LENGTH) / RATE
    wave = np.sin(2 * np.pi * freq * t + rng.uniform(0, 6.28))
    return (wave + rng.normal(size=LENGTH) * 0.3).astype("float32")


def examples(count, seed):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        label = int(rng.integers(0, 3))
        yield tone((60, 120, 240)[label], rng), label


def spectrum(wave, bins):
    power = np.abs(np.fft.rfft(wave * np.hanning(len(wave))))[: bins * 2]
    return np.log1p(power.reshape(bins, 2).mean(axis=1)).astype("float32")


def featurize(wave, label, bins=BINS):
    feats = tf.numpy_function(partial(spectrum, bins=bins), [wave], tf.float32)
    feats.set_shape([bins])
    return feats, label


def pipeline(count, seed, batch=16, training=True):
    ds = tf.data.Dataset.from_generator(
        partial(examples, count, seed),
        output_signature=(tf.TensorSpec([LENGTH], tf.float32), tf.TensorSpec([], tf.int32)),
    )
    if training:
        ds = ds.shuffle(count, seed=seed)
    return ds.map(featurize, num_parallel_calls=2).batch(batch).prefetch(1)


def classifier(classes=3):
    return keras.Sequential([
        keras.layers.Dense(16, activation="relu"),
        keras.layers.Dense(classes, activation="softmax"),
    ])


def main():
    keras.utils.set_random_seed(0)
    model = classifier()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    hist = model.fit(pipeline(96, 0), epochs=3, verbose=0)
    print("loss", ["%.3f" % v for v in hist.history["loss"]])
    loss, acc = model.evaluate(pipeline(48, 1, training=False), verbose=0)
    print("test loss %.3f acc %.3f" % (loss, acc))


if __name__ == "__main__":
    main()
