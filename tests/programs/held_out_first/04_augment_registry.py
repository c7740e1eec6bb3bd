"""Augmentations are registered by name and chosen by the experiment's settings."""
import functools

import numpy as np
import tensorflow as tf

AUGMENTATIONS = {}
generator = np.random.default_rng(7)


def register(name):
    def wrap(fn):
        AUGMENTATIONS[name] = fn
        return fn
    return wrap


@register("scale")
def scale(signal, low=0.8, high=1.2):
    return signal * tf.random.uniform([], low, high)


@register("shift")
def shift(signal, most=4):
    return tf.roll(signal, shift=generator.integers(-most, most + 1), axis=0)


@register("flip")
def flip(signal, p=0.3):
    return tf.cond(tf.random.uniform([]) < p, lambda: tf.reverse(signal, [0]), lambda: signal)


def compose(settings):
    chosen = [functools.partial(AUGMENTATIONS[name], **kw) for name, kw in settings.items()]

    def apply(signal, label):
        for fn in chosen:
            signal = fn(signal)
        return signal, label

    return apply


def build(signals, labels, settings, batch=8):
    ds = tf.data.Dataset.from_tensor_slices((signals, labels))
    ds = ds.map(compose(settings), num_parallel_calls=2)
    return ds.batch(batch).prefetch(1)


def peaks(ds):
    found = []
    for signals, _ in ds:
        found += tf.argmax(signals, axis=1).numpy().tolist()
    return found


if __name__ == "__main__":
    signals = np.zeros((24, 32), "float32")
    signals[:, 16] = 1.0
    labels = np.arange(24) % 2
    ds = build(signals, labels, {"shift": {"most": 6}, "scale": {}})
    for epoch in range(2):
        positions = peaks(ds)
        print("epoch", epoch, "different peak positions:", len(set(positions)))
