"""The shapes of a written line beside those of the fonts.

In which font is each word, and is each character well formed?
"""

import functools
import re
from collections.abc import Sequence

import numpy as np

from workloads.handwriting.alphabet import CHARACTERS
from workloads.handwriting.hershey import FINAL_POINTS, STYLES, write_line
from workloads.handwriting.strokes import resample, to_strokes
from workloads.handwriting.writer import Written

SPACING = 1.5  # between the points of a shape, in the fonts' units
VISIBLE = CHARACTERS.replace(" ", "")
DRAWINGS = 20  # of each character by the generator, among which the worst is still well formed


def true_line(text: str, style: str, random: np.random.Generator, looseness: float = 1.0) -> Written:
    """A text as the generator of the training data draws it."""
    line = write_line(text, style, random, looseness)
    strokes = to_strokes(line.points[1:-FINAL_POINTS])
    left = min(stroke[:, 0].min() for stroke in strokes)
    read = np.eye(len(text) + 1)[line.characters[1:-FINAL_POINTS]]  # [points, text + 1]
    return Written(text, [stroke - np.array([left, 0.0]) for stroke in strokes], read, True)


def _as_the_font_is(text: str, style: str) -> list[np.ndarray]:
    return true_line(text, style, np.random.default_rng(0), looseness=0.0).strokes


@functools.cache
def _shape(word: str, style: str) -> np.ndarray:
    """A word as a style draws it: [points, 2]."""
    return _normalised(_as_the_font_is(word, style))


def _normalised(strokes: Sequence[np.ndarray]) -> np.ndarray:
    """Points evenly along the strokes, about their middle, whatever the size: [points, 2]."""
    points = _inked(strokes)
    return (points - points.mean(axis=0)) / np.maximum(points.std(axis=0), 1e-6)


def _inked(strokes: Sequence[np.ndarray]) -> np.ndarray:
    """Points evenly along the strokes: [points, 2]."""
    return np.concatenate([resample(stroke, SPACING) for stroke in strokes])


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


def spaced_texts(seed: int, per_line: int = 8) -> list[str]:
    """Every visible character once, in lines of characters that stand alone."""
    characters = np.random.default_rng(seed).permutation(list(VISIBLE))
    return [" ".join(characters[place : place + per_line]) for place in range(0, len(VISIBLE), per_line)]


def well_formed(lines: Sequence[Written], style: str) -> dict[str, float]:
    """The share of each character's writings that are as near to its glyph as the generator's.

    Args:
        lines: of `spaced_texts`.
    """
    writings: dict[str, list[bool]] = {}
    for line in lines:
        for number, character in enumerate(line.text):
            if character != " ":
                near = _misplacement(line, number, style) <= _allowance(character, style)
                writings.setdefault(character, []).append(near)
    return {character: float(np.mean(near)) for character, near in writings.items()}


@functools.cache
def _allowance(character: str, style: str) -> float:
    """How far from its glyph the worst of several true drawings is; the text tells the line's width."""
    random = np.random.default_rng(0)
    drawn = [true_line(f"a {character} a", style, random) for _ in range(DRAWINGS)]
    return max(_misplacement(line, 2, style) for line in drawn)


def _misplacement(line: Written, number: int, style: str) -> float:
    """How far a character that stands alone is from its glyph: in form and height, not along the line."""
    strokes = [stroke for stroke, owner in zip(line.strokes, _owners(line), strict=True) if owner == number]
    if not strokes:
        return float("inf")
    glyph = _as_the_font_is(line.text[number], style)
    return _distance(*(_centred(shape) for shape in (strokes, glyph)))


def _centred(strokes: Sequence[np.ndarray]) -> np.ndarray:
    points = _inked(strokes)  # [points, 2]
    middle = (points[:, 0].min() + points[:, 0].max()) / 2
    return points - np.array([middle, 0.0])


def _owners(line: Written) -> list[int]:
    """For each stroke, the visible character that was read while it was written."""
    visible = np.array([number for number, character in enumerate(line.text) if character != " "])
    cuts = np.cumsum([len(stroke) for stroke in line.strokes])[:-1]
    read = [part.mean() for part in np.split(line.weight.argmax(axis=1), cuts)]
    return [int(visible[np.abs(visible - place).argmin()]) for place in read]
