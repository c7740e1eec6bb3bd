"""Image pipeline with a list of augmentations chosen in a config."""
import functools

import numpy as np
import tensorflow as tf
from tensorflow import keras


def shift(image, label, rng, limit=3):
    dx, dy = tf.unstack(rng.uniform([2], -limit, limit + 1, tf.int32))
    return tf.roll(image, shift=[dy, dx], axis=[0, 1]), label


def brightness(image, label, rng, limit=0.2):
    return image + rng.uniform([], -limit, limit), label


def standardise(image, label):
    return (image - tf.reduce_mean(image)) / (tf.math.reduce_std(image) + 1e-6), label


AUGMENTATIONS = {"shift": shift, "brightness": brightness}
CONFIG = {"augment": ["shift", "brightness"], "batch": 20, "epochs": 2, "seed": 7}


def build_pipeline(images, labels, config, training):
    ds = tf.data.Dataset.from_tensor_slices((images, labels))
    if training:
        rng = tf.random.Generator.from_seed(config["seed"])
        for name in config["augment"]:
            ds = ds.map(functools.partial(AUGMENTATIONS[name], rng=rng), num_parallel_calls=2)
    return ds.map(standardise).batch(config["batch"]).prefetch(1)


def squares(n=60, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    images = np.zeros((n, 12, 12, 1), "float32")
    images[labels == 0, 4:8, 4:8] = 1.0
    images[labels == 1, 5:7, 2:10] = 1.0
    return images, labels.astype("int32")


def network():
    model = keras.Sequential([
        keras.Input((12, 12, 1)),
        keras.layers.Conv2D(4, 3, activation="relu"),
        keras.layers.Flatten(),
        keras.layers.Dense(2),
    ])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    return model


def main():
    images, labels = squares()
    ds = build_pipeline(images, labels, CONFIG, training=True)
    model = network()
    model.fit(ds, epochs=CONFIG["epochs"], verbose=0)
    positions = {tuple(np.argwhere(im[..., 0].numpy() > 0.5)[0]) for im, lab in ds.unbatch() if lab == 0}
    print("accuracy %.2f" % model.evaluate(ds, verbose=0)[1], " distinct square positions", len(positions))


if __name__ == "__main__":
    main()
