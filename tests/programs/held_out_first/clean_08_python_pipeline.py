"""Python randomness where Python really runs: in the generator and in py_function."""
import random

import numpy as np
import tensorflow as tf

SPEC = (tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([], tf.int32))


def clips(n, seed):
    """Variable-length clips with a random start."""
    rng = random.Random(seed)

    def generate():
        for i in range(n):
            length = rng.randint(4, 9)
            start = rng.random()
            t = start + np.arange(length, dtype="float32")[:, None]
            yield np.sin(t * np.array([0.2, 0.5, 1.0], "float32")), i % 2

    return generate


def jitter(clip):
    noise = np.random.default_rng().normal(scale=0.01, size=clip.shape)
    return (clip.numpy() + noise).astype("float32")


def augment(clip, label):
    out = tf.py_function(jitter, [clip], tf.float32)
    out.set_shape([None, 3])
    return out * tf.random.uniform([], 0.9, 1.1), label


def pipeline(n=20, batch=5):
    ds = tf.data.Dataset.from_generator(clips(n, 8), output_signature=SPEC)
    return ds.map(augment).padded_batch(batch, padded_shapes=([10, 3], []))


@tf.function
def summary(batch, labels):
    used = tf.cast(tf.reduce_any(batch != 0.0, axis=-1), tf.float32)
    mean = tf.reduce_sum(batch, axis=1) / tf.reduce_sum(used, axis=1, keepdims=True)
    return tf.reduce_mean(mean), tf.reduce_mean(tf.cast(labels, tf.float32))


def main():
    seen = []
    for batch, labels in pipeline():
        mean, share = summary(batch, labels)
        seen.append((round(float(mean), 3), float(share)))
    print("batches", len(seen), "different means", len({m for m, _ in seen}))


main()
