"""Handwritten lines made from the Hershey fonts: text in, pen points out.

Each line gets its own slant, size, width, speed and baseline, each character its own small
distortion, and every point the number of the character it belongs to.
"""

import functools
from typing import Any, NamedTuple

import numpy as np
from HersheyFonts import HersheyFonts

from workloads.handwriting.alphabet import encode
from workloads.handwriting.line import Line
from workloads.handwriting.strokes import resample, to_offsets

BASELINE = 9.0  # y of the baseline in the fonts' own units; a capital is 21 high
STEP = 4.0  # distance between points, in the same units
JOINED = 3.0  # letters of a script whose ends are nearer than this are written in one stroke
# The fonts print these in bold, of four bars far apart; a person writes one stroke.
ONE_STROKE = {
    "[": [[11, -25], [4, -25], [4, 7], [11, 7]],
    "]": [[3, -25], [10, -25], [10, 7], [3, 7]],
}
FINAL_POINTS = 3  # standing still with the pen lifted: the network learns to stop


class Style(NamedTuple):
    """A hand: which font, and how it leans."""

    font: str
    slant: float = 0.0  # x moves by this for each unit up
    width: float = 1.0
    joined: bool = False


STYLES = {
    "plain": Style("futural"),
    "slanted": Style("futural", slant=0.35, width=0.85),
    "script": Style("cursive", joined=True),
}


def hand_number(style: str) -> int:
    """What the network gets to know of a style; 0 for one that has no name."""
    return 1 + list(STYLES).index(style) if style in STYLES else 0


class Glyph(NamedTuple):
    """One character of a font, its left edge at zero and its baseline at zero."""

    strokes: tuple[np.ndarray, ...]  # [points, 2] each
    width: float


@functools.cache
def glyphs(font: str) -> dict[str, Glyph]:
    """The characters of one Hershey font."""
    fonts = HersheyFonts()
    fonts.load_default_font(font)
    return {
        character: Glyph(_pen_strokes(character, glyph), float(glyph.char_width))
        for character, glyph in fonts.all_glyphs.items()
        if isinstance(character, str)
    }


def _pen_strokes(character: str, glyph: Any) -> tuple[np.ndarray, ...]:
    if character in ONE_STROKE:
        return (np.array(ONE_STROKE[character], np.float64),)
    origin = [glyph.left_offset, BASELINE]
    return tuple(np.array(stroke, np.float64) - origin for stroke in glyph.strokes if len(stroke))


class _Hand(NamedTuple):
    """What stays the same along one line."""

    matrix: np.ndarray  # [2, 2]: slant, width and size
    step: float
    wave: np.ndarray  # amplitude, wavelength and phase of the baseline
    tremor: float
    looseness: float  # how much characters differ from each other


def _hand(style: Style, random: np.random.Generator, looseness: float) -> _Hand:
    size = 1 + looseness * 0.08 * random.normal()
    width = style.width * size * (1 + looseness * 0.06 * random.normal())
    slant = style.slant + looseness * 0.06 * random.normal()
    matrix = np.array([[width, 0.0], [-slant * size, size]])  # rows: what x and y become
    wave = np.array([looseness * abs(random.normal()), random.uniform(90, 250), random.uniform(0, 6)])
    step = STEP * (1 + looseness * 0.08 * random.uniform(-1, 1))
    return _Hand(matrix, step, wave, looseness * 0.12, looseness)


def _distorted(glyph: Glyph, hand: _Hand, random: np.random.Generator) -> list[np.ndarray]:
    """The glyph's strokes, turned, stretched and shifted a little."""
    loose = hand.looseness
    turn = loose * 0.025 * random.normal()
    stretch = 1 + loose * 0.03 * random.normal(size=2)
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    shift = loose * 0.35 * random.normal(size=2)
    return [stroke @ rotation * stretch + shift for stroke in glyph.strokes]


def _placed(
    text: str, style: Style, hand: _Hand, random: np.random.Generator
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """All strokes of a line in place, and the character of each of their points."""
    left = 0.0
    strokes: list[np.ndarray] = []
    characters: list[np.ndarray] = []
    for number, character in enumerate(text):
        glyph = glyphs(style.font)[character]
        for stroke in _distorted(glyph, hand, random):
            points = resample((stroke + np.array([left, 0.0])) @ hand.matrix, hand.step)  # [points, 2]
            owner = np.full(len(points), number)
            if style.joined and strokes and _meets(strokes[-1], points, characters[-1], number):
                strokes[-1] = np.concatenate([strokes[-1], points[1:]])
                characters[-1] = np.concatenate([characters[-1], owner[1:]])
            else:
                strokes.append(points)
                characters.append(owner)
        left += glyph.width * (1 + hand.looseness * 0.03 * random.normal())
    return strokes, characters


def _meets(last: np.ndarray, points: np.ndarray, owner: np.ndarray, number: int) -> bool:
    """Whether a script's next letter begins where the letter before it ended."""
    near = np.hypot(*(points[0] - last[-1])) < JOINED
    return bool(near and owner[-1] == number - 1 and len(points) > 2)


def write_line(text: str, style: str, random: np.random.Generator, looseness: float = 1.0) -> Line:
    """A text written in one hand.

    Args:
        looseness: 0 draws the font as it is, 1 like a person.
    """
    encode(text)  # unknown characters are an error here, not a gap in the line
    hand = _hand(STYLES[style], random, looseness)
    strokes, characters = _placed(text, STYLES[style], hand, random)
    for stroke in strokes:
        amplitude, wavelength, phase = hand.wave
        stroke[:, 1] += amplitude * np.sin(2 * np.pi * stroke[:, 0] / wavelength + phase)
        stroke += hand.tremor * random.normal(size=stroke.shape)
    start = np.array([[0.0, 0.0, 1.0]], np.float32)  # the pen waits at the baseline
    final = np.repeat(start, FINAL_POINTS, axis=0)
    offsets = np.concatenate([start, to_offsets(strokes) if strokes else start, final])
    owners = np.concatenate([[0], *(characters or [[0]]), [len(text)] * FINAL_POINTS])
    return Line(text, offsets.astype(np.float32), owners.astype(np.int32), style)
