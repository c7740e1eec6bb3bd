"""The quality of trained weights, as the figures and pictures of the README.

`python -m workloads.handwriting.quality` measures the bundled weights.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

from workloads.handwriting import data
from workloads.handwriting.config import TrainConfig
from workloads.handwriting.drawing import make_page, to_image
from workloads.handwriting.hershey import STYLES
from workloads.handwriting.line import Line
from workloads.handwriting.ocr import error_rate, read_images
from workloads.handwriting.shapes import share_in_font, spaced_texts, true_line, well_formed
from workloads.handwriting.texts import WORDS
from workloads.handwriting.trainer import Result, Trainer
from workloads.handwriting.writer import PRETRAINED, Writer, Written, style_primer

TEST_SEED = 5_000_011  # of lines that neither training nor the choice of weights has seen
READING_PIXELS = 2.0
FORMS = 5  # writings of every character, each in another neighbourhood


class Legibility(NamedTuple):
    """Character error rates of the reading program."""

    samples: float
    truth: float  # on the same texts, drawn by the generator of the training data


def held_out_lines(count: int, longest: int) -> list[Line]:
    """Test lines; the training data is never asked for, as a random text hardly occurs twice."""
    return data.make_lines(count, TEST_SEED, longest)


class Judge:
    """Measures a writer's model on lines; traced once for all of them."""

    def __init__(self, writer: Writer):
        self.scale = writer.scale
        self.trainer = Trainer(writer.model.config, TrainConfig(), writer.scale)
        self.trainer.model.set_weights([weight.value.numpy() for weight in writer.model.weights])

    def __call__(self, lines: Sequence[Line]) -> Result:
        """Nats per point and alignment."""
        return self.trainer.evaluate(data.make_batches(lines, self.scale, 32, buckets=4))


def is_degenerate(line: Written, points_per_character: float) -> bool:
    """Not written to its end, off the line, or with far too few or too many points."""
    if not line.finished or not line.strokes:
        return True
    points = np.concatenate(line.strokes)  # [points, 2]
    expected = points_per_character * len(line.text)
    usual = 0.4 * expected < len(points) < 2.5 * expected + 20
    on_line = points[:, 1].min() > -60 and points[:, 1].max() < 40
    wide = 4 * len(line.text) < points[:, 0].max() < 40 * len(line.text) + 40
    return not (np.isfinite(points).all() and usual and on_line and wide)


def reading_texts(count: int, longest: int = 24) -> list[str]:
    """Lines of common words, as a person would write them."""
    random = np.random.default_rng(TEST_SEED)
    texts = []
    for _ in range(count):
        text = WORDS[random.integers(len(WORDS))].capitalize()
        while len(text) < longest - 8:
            text += " " + WORDS[random.integers(len(WORDS))]
        texts.append(text[:longest].strip())
    return texts


def _picture(line: Written) -> Image.Image:
    return to_image(make_page([line]), READING_PIXELS)


def measure_legibility(texts: Sequence[str], samples: Sequence[Written], style: str) -> Legibility:
    """Error rates on samples, and on true lines of the same texts."""
    random = np.random.default_rng(TEST_SEED)
    truth = [true_line(text, style, random) for text in texts]
    rates = [error_rate(texts, read_images([_picture(line) for line in lines])) for lines in (samples, truth)]
    return Legibility(*rates)


def character_forms(writer: Writer, style: str, bias: float) -> tuple[float, float]:
    """The share of well-formed characters, each written `FORMS` times: of samples, and of true lines."""
    texts = [text for seed in range(FORMS) for text in spaced_texts(seed)]
    samples = writer.write(texts, bias, style_primer(style), seed=2)
    random = np.random.default_rng(TEST_SEED)
    truth = [true_line(text, style, random) for text in texts]
    return tuple(float(np.mean(list(well_formed(lines, style).values()))) for lines in (samples, truth))


def main() -> None:
    """Print the table of the README."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--weights", type=Path, default=PRETRAINED)
    parser.add_argument("--lines", type=int, default=300, help="held-out lines")
    parser.add_argument("--samples", type=int, default=200, help="samples judged for degeneration")
    parser.add_argument("--read", type=int, default=40, help="texts per style to be read by OCR")
    parser.add_argument("--bias", type=float, default=1.0)
    options = parser.parse_args()
    writer = Writer.load(options.weights)
    lines = held_out_lines(options.lines, TrainConfig().longest_text)
    print(
        "| style | nats per point | aligned within ±1 | in style | well formed, samples | well formed, truth "
        "| OCR errors, samples | OCR errors, truth |"
    )
    print("|---|---|---|---|---|---|---|---|")
    judge = Judge(writer)
    for style in STYLES:
        result = judge([line for line in lines if line.style == style])
        print(_table_row(writer, style, result, options.read, options.bias), flush=True)
    result = judge(lines)
    print(f"| all | {result.loss:.3f} | {100 * result.alignment:.2f} % | | | | | |\n", flush=True)
    print(_degeneration(writer, options.samples, options.bias))


def _table_row(writer: Writer, style: str, result: Result, count: int, bias: float) -> str:
    texts = reading_texts(count)
    samples = writer.write(texts, bias, style_primer(style), seed=1)
    reading = measure_legibility(texts, samples, style)
    in_font = share_in_font(samples, STYLES[style].font)
    shares = (result.alignment, in_font, *character_forms(writer, style, bias), *reading)
    return f"| {style} | {result.loss:.3f} | " + " | ".join(f"{100 * share:.1f} %" for share in shares) + " |"


def _degeneration(writer: Writer, count: int, bias: float) -> str:
    """A sentence on samples in all styles and at two biases, of texts with every character."""
    bad: list[str] = []
    pace = writer.model.config.points_per_character
    for number, style in enumerate((*STYLES, "any")):
        texts = [line.text for line in held_out_lines(count, 24)][number :: len(STYLES) + 1]
        for part, chosen in enumerate((0.0, bias)):
            samples = writer.write(texts[part::2], chosen, style_primer(style), seed=number)
            bad += [line.text for line in samples if is_degenerate(line, pace)]
    shown = ", ".join(map(repr, bad[:5]))
    return f"degenerate samples: {len(bad)} of {count}" + (f" ({shown})" if bad else "")


if __name__ == "__main__":
    main()
