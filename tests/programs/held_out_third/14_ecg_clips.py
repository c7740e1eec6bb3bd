"""Arrhythmia screening: clips are cut from packed int16 records on disk and fed to a Keras model."""
import os
import tempfile
from pathlib import Path

import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers

CLIP = 128
LEADS = 3


def write_records(folder, n=24, seed=0):
    rng = np.random.default_rng(seed)
    paths, labels = [], []
    for i in range(n):
        label = i % 2
        t = np.arange(CLIP + rng.integers(10, 60))
        beat = np.sin(2 * np.pi * t / (24 if label else 36))
        rec = beat[:, None] * np.array([1.0, 0.6, -0.4]) + rng.normal(0, 0.1, (len(t), LEADS))
        path = os.path.join(folder, f"rec_{i:03d}.bin")
        (rec * 1000).astype("<i2").tofile(path)
        paths.append(path)
        labels.append(label)
    return paths, np.array(labels, "float32")


def read_clip(path):
    raw = np.frombuffer(Path(path.decode()).read_bytes(), "<i2").reshape(-1, LEADS)
    clip = raw[:CLIP].astype("float32") / 1000.0
    return clip - clip.mean(axis=0, keepdims=True)


def load(path, label):
    clip = tf.numpy_function(read_clip, [path], tf.float32)
    return normalise(clip), label


def normalise(clip):
    return clip / (tf.math.reduce_std(clip) + 1e-6)


def dataset(paths, labels, batch):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    return ds.map(load, num_parallel_calls=2).batch(batch).prefetch(1)


class Screener(Model):
    def __init__(self):
        super().__init__()
        self.conv = layers.Conv1D(8, 9, strides=2, activation="relu")
        self.pool = layers.GlobalMaxPooling1D()
        self.out = layers.Dense(1, activation="sigmoid")

    def call(self, x):
        return self.out(self.pool(self.conv(x)))


def main():
    tf.keras.utils.set_random_seed(2)
    with tempfile.TemporaryDirectory() as folder:
        paths, labels = write_records(folder)
        train = dataset(paths, labels, batch=8)
        model = Screener()
        model.compile(optimizer=tf.keras.optimizers.Adam(1e-2), loss="binary_crossentropy",
                      metrics=["accuracy"])
        hist = model.fit(train, epochs=6, verbose=0)
        print("accuracy", [round(a, 3) for a in hist.history["accuracy"]])


if __name__ == "__main__":
    main()
