"""Texts in, written lines out: weights, primers and the sampler behind one call."""

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import tensorflow as tf

from workloads.handwriting.alphabet import encode
from workloads.handwriting.config import read_config
from workloads.handwriting.hershey import FINAL_POINTS, STYLES, hand_number, write_line
from workloads.handwriting.line import Line
from workloads.handwriting.loss import point_loss
from workloads.handwriting.model import Handwriting
from workloads.handwriting.sample import Sampler, Samples
from workloads.handwriting.strokes import to_strokes

PRETRAINED = Path(__file__).parent / "pretrained"
WEIGHTS = "best.weights.h5"
PRIMER_TEXT = "quick"  # short, so that most of what the network can overlook is left for the text
CLEARLY = 0.25  # nats per point by which strokes must be predicted better without a hand to get none
SLACK = 3  # a line may have so many times the points that its characters need on average


class WriterError(ValueError):
    """Something that cannot be written, and why."""


class Written(NamedTuple):
    """One line, in the fonts' units: a capital is about 21 high, the baseline is at zero."""

    text: str
    strokes: list[np.ndarray]  # [points, 2] each
    weight: np.ndarray  # [points, text + 1]: how much of each character was read
    finished: bool


def style_primer(name: str) -> Line | None:
    """A few letters in a bundled style; nothing for `any`."""
    if name == "any":
        return None
    if name not in STYLES:
        known = ", ".join(("any", *STYLES))
        raise WriterError(f"style {name!r} is neither a file nor one of {known}")
    return write_line(PRIMER_TEXT, name, np.random.default_rng(0), looseness=0.5)


def check_texts(texts: Sequence[str]) -> None:
    """Refuse what cannot be written: nothing visible, or an unknown character."""
    if not texts:
        raise WriterError("expected a text with a visible character, got none")
    for text in texts:
        encode(text)
        if not text.strip():
            raise WriterError(f"expected a text with a visible character, got {text!r}")


class Writer:
    """A trained model, ready to write; `styles` are the named hands that it has learnt."""

    def __init__(self, model: Handwriting, scale: float, styles: Sequence[str] = ()):
        self.model = model
        self.scale = scale
        self.styles = tuple(styles)
        self.sampler = Sampler(model)
        self._predict = tf.function(model.call, reduce_retracing=True)

    @classmethod
    def load(cls, folder: Path = PRETRAINED) -> "Writer":
        """A writer with the weights of a folder that training wrote."""
        if not (folder / WEIGHTS).exists():
            raise WriterError(f"no weights at {folder / WEIGHTS}: train a model into that folder")
        config, measured = read_config(folder)
        model = Handwriting(config)
        model.load_weights(str(folder / WEIGHTS))
        return cls(model, measured.scale, measured.styles)

    def write(
        self,
        texts: Sequence[str],
        bias: float = 1.0,
        primer: Line | None = None,
        seed: int = 0,
    ) -> list[Written]:
        """Each text as one line, all in one batch."""
        check_texts(texts)
        if primer and primer.style in STYLES and primer.style not in self.styles:
            known = ", ".join((*self.styles, "any"))
            unknown = f"these weights never saw the style {primer.style!r}"
            raise WriterError(f"{unknown}: choose {known} or strokes of your own")
        start = np.array([[0.0, 0.0, 1.0]], np.float32)  # [1, 3]
        before, points, hand = "", start, 0
        if primer is not None:
            before, points = primer.text + " ", primer.points / [self.scale, self.scale, 1]
            points = np.float32(points[: len(points) - FINAL_POINTS])
            hand = hand_number(primer.style) or self._nearest_hand(before, points)
        numbers = [encode(before + text, hand) for text in texts]
        samples = self._sample(numbers, len(before), points, bias, seed)
        origin = points[:, :2].sum(axis=0)  # where the primer left the pen
        return [
            self._written(text, len(before), origin, *(part[row].numpy() for part in samples))
            for row, text in enumerate(texts)
        ]

    def write_pages(
        self,
        pages: Sequence[Sequence[str]],
        bias: float = 1.0,
        primer: Line | None = None,
        seed: int = 0,
    ) -> list[list[Written]]:
        """Pages of lines, all in one batch; an empty line stays empty."""
        texts = [line for page in pages for line in page if line.strip()]
        written = iter(self.write(texts, bias, primer, seed))
        empty = Written("", [], np.zeros((0, 1)), True)
        return [[next(written) if line.strip() else empty for line in page] for page in pages]

    def default_primer(self) -> Line | None:
        """A few letters in the first style that was learnt, if there is one."""
        return style_primer(self.styles[0]) if self.styles else None

    def _nearest_hand(self, text: str, points: np.ndarray) -> int:
        """The learnt hand that predicts strokes best, or none if none of them does.

        Reported a hand at every character, the network does not stray from it; from a few strokes it does.
        """
        hands = [0, *map(hand_number, self.styles)]
        batch = tf.constant(np.repeat(points[np.newaxis], len(hands), axis=0))  # [hands, points, 3]
        texts = tf.constant(np.stack([encode(text, hand) for hand in hands]))  # [hands, text + 1]
        parameters = self._predict({"points": batch[:, :-1], "text": texts})
        losses = tf.reduce_mean(point_loss(batch[:, 1:], parameters), axis=-1).numpy()  # [hands]
        losses[0] += CLEARLY
        return hands[int(losses.argmin())]

    def _sample(
        self, numbers: list[np.ndarray], skipped: int, points: np.ndarray, bias: float, seed: int
    ) -> Samples:
        longest = max(map(len, numbers))
        padded = np.stack([np.pad(row, (0, longest - len(row))) for row in numbers])
        pace = self.model.config.points_per_character
        return self.sampler(
            tf.constant(padded),
            tf.constant(np.repeat(points[np.newaxis], len(numbers), axis=0)),
            tf.fill([len(numbers)], len(points)),
            tf.constant(bias, tf.float32),
            tf.constant([seed, 0], tf.int32),
            tf.constant(int(len(points) + SLACK * pace * (longest - skipped) + 50)),
        )

    def _written(
        self,
        text: str,
        skipped: int,
        origin: np.ndarray,
        points: np.ndarray,
        length: np.ndarray,
        weight: np.ndarray,
        finished: np.ndarray,
    ) -> Written:
        strokes = []
        if length:
            offsets = points[:length].astype(np.float64)  # [points, 3]
            offsets[0, :2] += origin
            strokes = to_strokes(offsets * [self.scale, self.scale, 1])
            left = min(stroke[:, 0].min() for stroke in strokes)
            strokes = [stroke - [left, 0] for stroke in strokes]
        read = weight[:length, skipped : skipped + len(text) + 1]
        return Written(text, strokes, read, bool(finished))


def wrap(text: str, width: int) -> list[str]:
    """A text as lines of at most `width` characters; its own line breaks stay."""
    lines: list[str] = []
    for paragraph in text.splitlines():
        lines += textwrap.wrap(paragraph, width, break_on_hyphens=False) or [""]
    return lines
