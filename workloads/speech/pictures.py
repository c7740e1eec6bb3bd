"""Mels and alignments as pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import tensorflow as tf

# Dark blue to yellow in seven steps, so that neither end vanishes on a white or black page.
COLOURS = np.array(
    [[8, 10, 48], [44, 20, 110], [110, 25, 120], [180, 45, 95], [230, 95, 50], [250, 165, 35],
     [252, 250, 165]], np.float32
)  # fmt: skip


def picture(values: np.ndarray, low: float, high: float, scale: int = 3) -> np.ndarray:
    """Values [frames, height] as colours, time to the right, low bins at the bottom."""
    share = np.clip((values.T[::-1] - low) / (high - low), 0, 1)  # [height, frames]
    place = share * (len(COLOURS) - 1)
    below = np.minimum(place.astype(int), len(COLOURS) - 2)
    part = (place - below)[..., None]
    colours = COLOURS[below] * (1 - part) + COLOURS[below + 1] * part  # [height, frames, 3]
    return colours.astype(np.uint8).repeat(scale, 0).repeat(scale, 1)


def mel_picture(mel: np.ndarray) -> np.ndarray:
    """A mel [frames, mels] in fixed colours: [height, width, 3]."""
    return picture(mel, -2.4, 1.6)


def alignment_picture(alignment: np.ndarray) -> np.ndarray:
    """An alignment [frames, text]: [height, width, 3]."""
    return picture(alignment, 0.0, 1.0, scale=5)


def above(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Two pictures, one above the other, with a white line between."""
    width = max(first.shape[1], second.shape[1])
    line = np.full([6, width, 3], 255, np.uint8)
    return np.concatenate([_widened(first, width), line, _widened(second, width)])


def _widened(image: np.ndarray, width: int) -> np.ndarray:
    missing = width - image.shape[1]
    return np.pad(image, [[0, 0], [0, missing], [0, 0]], constant_values=255)


def write_png(path: Path, image: np.ndarray) -> None:
    """Write a picture [height, width, 3]."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(tf.io.encode_png(image).numpy())
