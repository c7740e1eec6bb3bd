"""In which font is each word of a written line?"""

import functools
import re
from collections.abc import Sequence

import numpy as np

from workloads.handwriting.hershey import FINAL_POINTS, STYLES, write_line
from workloads.handwriting.strokes import resample, to_strokes
from workloads.handwriting.writer import Written

SPACING = 1.5  # between the points of a shape, in the fonts' units


@functools.cache
def _shape(word: str, style: str) -> np.ndarray:
    """A word as a style draws it: [points, 2]."""
    line = write_line(word, style, np.random.default_rng(0), looseness=0.0)
    return _normalised(to_strokes(line.points[1:-FINAL_POINTS]))


def _normalised(strokes: Sequence[np.ndarray]) -> np.ndarray:
    """Points evenly along the strokes, about their middle, whatever the size: [points, 2]."""
    points = np.concatenate([resample(stroke, SPACING) for stroke in strokes])
    return (points - points.mean(axis=0)) / np.maximum(points.std(axis=0), 1e-6)


def _distance(left: np.ndarray, right: np.ndarray) -> float:
    """How far a point of one shape is from the other, on average."""
    apart = np.hypot(*(left[:, np.newaxis] - right[np.newaxis]).transpose(2, 0, 1))  # [left, right]
    return float(apart.min(axis=0).mean() + apart.min(axis=1).mean())


def words_of(line: Written) -> list[tuple[str, list[np.ndarray]]]:
    """Each word of letters with the strokes that were written while it was read.

    Words and not letters: the window goes on to the next character a little before or after the pen.
    """
    read = line.weight.argmax(axis=1)  # [points]
    cuts = np.cumsum([len(stroke) for stroke in line.strokes])[:-1]
    read_in_strokes = np.split(read, cuts)
    words = []
    for found in re.finditer("[a-zA-Z]{3,}", line.text):
        inside = [(part >= found.start()) & (part < found.end()) for part in read_in_strokes]
        parts = [stroke[chosen] for stroke, chosen in zip(line.strokes, inside, strict=True)]
        parts = [part for part in parts if len(part)]
        if parts:
            words.append((found.group(), parts))
    return words


def share_in_font(lines: Sequence[Written], font: str) -> float:
    """The share of words that are more like those of a font than like those of another."""
    words = [word for line in lines for word in words_of(line)]
    right = sum(STYLES[_nearest_style(*word)].font == font for word in words)
    return right / len(words) if words else float("nan")


def _nearest_style(word: str, strokes: list[np.ndarray]) -> str:
    points = _normalised(strokes)  # [points, 2]
    return min(STYLES, key=lambda name: _distance(points, _shape(word, name)))
