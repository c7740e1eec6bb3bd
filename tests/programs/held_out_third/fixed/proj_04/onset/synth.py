"""Synthetic plucked notes with known onset times."""
import numpy as np


def recording(audio, rng):
    n = int(audio.rate * rng.uniform(audio.min_seconds, audio.max_seconds))
    wave = rng.normal(0, 0.01, n)
    onsets = np.sort(rng.choice(np.arange(200, n - 300, 150), size=3, replace=False))
    for start in onsets:
        t = np.arange(n - start) / audio.rate
        wave[start:] += np.exp(-12 * t) * np.sin(2 * np.pi * rng.uniform(200, 600) * t)
    return wave.astype("float32"), onsets.astype("int32")


def recordings(audio, count, seed):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield recording(audio, rng)
