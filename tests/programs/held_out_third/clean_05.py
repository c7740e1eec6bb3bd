"""Leaf disease classifier: file order, sampling and augmentation are all random in their own way."""
import random
from functools import partial

import numpy as np
import tensorflow as tf

SIZE = 24
CLASSES = ("healthy", "rust", "mildew")


def photograph(label, rng):
    img = rng.uniform(0.2, 0.4, (SIZE + 8, SIZE + 8, 3))
    img[..., 1] += 0.4
    for _ in range({"healthy": 0, "rust": 12, "mildew": 12}[label]):
        y, x = rng.integers(2, SIZE + 4, 2)
        img[y : y + 3, x : x + 3] = (0.6, 0.3, 0.1) if label == "rust" else (0.9, 0.9, 0.9)
    return img.astype("float32")


def balanced_stream(per_class, seed):
    """One pass over freshly drawn photographs, the classes in mixed order."""
    order = [c for c in CLASSES for _ in range(per_class)]
    random.Random(seed).shuffle(order)
    rng = np.random.default_rng(seed)
    for name in order:
        yield photograph(name, rng), CLASSES.index(name)


def random_crop_flip(img, label, seed_pair=None):
    """Random geometry; stateless when a seed pair is given."""
    if seed_pair is None:
        img = tf.image.random_crop(img, (SIZE, SIZE, 3))
        img = tf.image.random_flip_left_right(img)
    else:
        img = tf.image.stateless_random_crop(img, (SIZE, SIZE, 3), seed=seed_pair)
    return img, label


def jitter(img, label, strength):
    gain = 1.0 + tf.random.uniform([3], -strength, strength)
    img = img * gain
    if tf.random.uniform([]) < 0.3:
        img = img + tf.random.normal(tf.shape(img), stddev=0.02)
    return tf.clip_by_value(img, 0.0, 1.0), label


def make(per_class, seed, augment):
    ds = tf.data.Dataset.from_generator(
        partial(balanced_stream, per_class, seed),
        output_signature=(tf.TensorSpec((SIZE + 8, SIZE + 8, 3)), tf.TensorSpec((), tf.int32)))
    ds = ds.apply(tf.data.experimental.assert_cardinality(per_class * len(CLASSES)))
    if augment:
        strength = random.Random(seed).choice([0.1, 0.15])
        ds = ds.map(random_crop_flip).map(lambda i, l: jitter(i, l, strength))
    else:
        counter = tf.data.Dataset.counter()
        ds = tf.data.Dataset.zip((ds, counter)).map(
            lambda item, n: random_crop_flip(*item, seed_pair=tf.stack([n, tf.constant(7, tf.int64)])))
    return ds.batch(16, drop_remainder=True).prefetch(1)


def main():
    tf.keras.utils.set_random_seed(3)
    model = tf.keras.Sequential([
        tf.keras.Input((SIZE, SIZE, 3)),
        tf.keras.layers.Conv2D(12, 3, activation="relu"),
        tf.keras.layers.Conv2D(12, 3, activation="relu"),
        tf.keras.layers.GlobalMaxPooling2D(),
        tf.keras.layers.Dense(len(CLASSES), activation="softmax"),
    ])
    model.compile(tf.keras.optimizers.Adam(1e-2), "sparse_categorical_crossentropy", metrics=["accuracy"])
    hist = model.fit(make(64, 0, True), validation_data=make(16, 1, False), epochs=5, verbose=0)
    print("val accuracy", [round(a, 2) for a in hist.history["val_accuracy"]])


if __name__ == "__main__":
    main()
