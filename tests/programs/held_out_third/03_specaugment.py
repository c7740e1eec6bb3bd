"""Keyword spotting on synthetic log-mel patches with SpecAugment in the input pipeline."""
import functools

import numpy as np
import tensorflow as t
from tensorflow.keras import layers

N_MELS, N_FRAMES, N_WORDS = 24, 40, 4


def make_corpus(n, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, N_WORDS, n)
    specs = rng.normal(0, 0.5, (n, N_FRAMES, N_MELS)).astype("float32")
    for i, word in enumerate(labels):
        lo = 4 + 5 * word
        specs[i, 10:30, lo : lo + 3] += 2.0
    return specs, labels.astype("int32")


def pick_span(total, widest):
    """Start and width of one masked band."""
    width = np.random.randint(1, widest + 1)
    start = np.random.randint(0, total - width)
    return start, width


def band(total, widest):
    start, width = pick_span(total, widest)
    idx = t.range(total)
    inside = t.logical_and(idx >= start, idx < start + width)
    return 1.0 - t.cast(inside, t.float32)


def spec_augment(spec, label, *, freq_width, time_width, n_bands=2):
    for _ in range(n_bands):
        spec = spec * band(N_MELS, freq_width)[t.newaxis, :]
        spec = spec * band(N_FRAMES, time_width)[:, t.newaxis]
    return spec, label


def pipeline(specs, labels, batch, augment=None):
    ds = t.data.Dataset.from_tensor_slices((specs, labels))
    if augment is not None:
        ds = ds.shuffle(len(labels), seed=1).map(augment, num_parallel_calls=2)
    return ds.batch(batch).prefetch(1)


def build():
    return t.keras.Sequential([
        layers.Input((N_FRAMES, N_MELS)),
        layers.Conv1D(16, 5, activation="relu"),
        layers.GlobalAveragePooling1D(),
        layers.Dense(N_WORDS),
    ])


def main():
    t.keras.utils.set_random_seed(5)
    augment = functools.partial(spec_augment, freq_width=6, time_width=8)
    train = pipeline(*make_corpus(256, 0), batch=32, augment=augment)
    valid = pipeline(*make_corpus(64, 1), batch=32)
    model = build()
    model.compile(
        optimizer=t.keras.optimizers.Adam(1e-2),
        loss=t.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    hist = model.fit(train, validation_data=valid, epochs=6, verbose=0)
    print("val accuracy:", [round(v, 3) for v in hist.history["val_accuracy"]])


if __name__ == "__main__":
    main()
