"""Random crops and gain for a spectrogram classifier input pipeline."""
import functools

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

RNG = np.random.default_rng(17)


def chain(*stages):
    def composed(x, y):
        for stage in stages:
            x = stage(x)
        return x, y

    return composed


def random_offset(limit):
    return int(RNG.integers(0, limit))


def crop(spec, width):
    start = random_offset(spec.shape[0] - width)
    return spec[start : start + width]


def gain(spec, low=0.7, high=1.3):
    return spec * RNG.uniform(low, high)


def load(n=64, frames=40, bins=16):
    gen = np.random.default_rng(0)
    x = gen.normal(size=(n, frames, bins)).astype("float32")
    y = (x.mean(axis=(1, 2)) > 0).astype("int32")
    return x, y


def pipeline(x, y, width=32, batch=16):
    augment = chain(functools.partial(crop, width=width), gain)
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    return ds.shuffle(64, seed=1).map(augment, num_parallel_calls=2).batch(batch)


def main():
    x, y = load()
    train = pipeline(x, y)
    model = tf.keras.Sequential(
        [
            layers.Input((32, 16)),
            layers.Conv1D(8, 5, activation="relu"),
            layers.GlobalAveragePooling1D(),
            layers.Dense(2),
        ]
    )
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train, epochs=2, verbose=0)
    flat = pipeline(np.ones_like(x), y).unbatch().map(lambda s, _: s[0, 0])
    print("distinct gains seen:", len(set(float(v) for v in flat)))


if __name__ == "__main__":
    main()
