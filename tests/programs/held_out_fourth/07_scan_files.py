"""Loads small scans from .npy files and trains a classifier."""
import pathlib
import tempfile

import numpy as np
import tensorflow as tf
import keras


def write_scans(folder, n=48, side=12):
    rng = np.random.default_rng(0)
    for i in range(n):
        scan = rng.normal(size=(side, side)).astype("float32")
        scan[:, : side // 2] += i % 2
        np.save(folder / f"scan_{i:03d}_{i % 2}.npy", scan)


class ScanLoader:
    def __init__(self, folder, side=12, batch=8):
        self.paths = sorted(str(p) for p in pathlib.Path(folder).glob("*.npy"))
        self.side = side
        self.batch = batch

    def _read(self, path):
        name = path.numpy().decode()
        scan = np.load(name)
        scan = (scan - scan.mean()) / (scan.std() + 1e-6)
        return scan[..., None], int(name[-5])

    def _load(self, path):
        scan, label = tf.py_function(self._read, [path], [tf.float32, tf.int32])
        return scan, label

    def __call__(self):
        ds = tf.data.Dataset.from_tensor_slices(self.paths)
        return ds.map(self._load).shuffle(64).batch(self.batch)


def classifier():
    model = keras.Sequential([
        keras.layers.Conv2D(4, 3, activation="relu"),
        keras.layers.GlobalMaxPooling2D(),
        keras.layers.Dense(2),
    ])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        folder = pathlib.Path(tmp)
        write_scans(folder)
        loader = ScanLoader(folder)
        model = classifier()
        model.fit(loader(), epochs=2, verbose=2)
