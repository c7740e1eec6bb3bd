"""Lines → training batches: the bundled lines, what is measured on them, splits, batching."""

from collections.abc import Sequence

import numpy as np
import tensorflow as tf

from graphdoctor.batching import Buckets, Examples, Layout, make_dataset, plan_buckets
from workloads.handwriting.alphabet import encode
from workloads.handwriting.config import DataConfig
from workloads.handwriting.hershey import STYLES, hand_number, write_line
from workloads.handwriting.line import Line
from workloads.handwriting.texts import CAPITALS, make_text

LAYOUT = Layout(lengths=("text", "points"), follows={"characters": "points"}, padding={"characters": -1})
# What a training step takes, whatever the batch size and the lengths.
SIGNATURE = {
    "text": tf.TensorSpec([None, None], tf.int32),  # [batch, text]
    "points": tf.TensorSpec([None, None, 3], tf.float32),  # [batch, points, 3]
    "characters": tf.TensorSpec([None, None], tf.int32),  # [batch, points]
    "points_mask": tf.TensorSpec([None, None], tf.bool),  # [batch, points]
}
SHORTEST_TEXT = 4
MULTIPLE = 8  # bucket lengths are multiples of this


class DataError(ValueError):
    """Data from which nothing can be learnt, and why."""


def make_lines(
    count: int,
    seed: int,
    longest: int,
    without: frozenset[str] = frozenset(),
    styles: Sequence[str] = tuple(STYLES),
    capitals: float = CAPITALS,
) -> list[Line]:
    """Bundled lines in the styles in turn, the same for the same seed; none with a text of `without`."""
    random = np.random.default_rng(seed)
    lines: list[Line] = []
    while len(lines) < count:
        length = int(random.integers(min(SHORTEST_TEXT, longest), longest + 1))
        text = make_text(random, length, capitals)
        if text not in without:
            lines.append(write_line(text, styles[len(lines) % len(styles)], random))
    return lines


def split(lines: Sequence[Line], held_out: int, seed: int) -> tuple[list[Line], list[Line]]:
    """Lines for training and lines for validation; a text is never in both."""
    texts = sorted({line.text for line in lines})
    if not 0 < held_out < len(texts):
        raise DataError(f"expected to hold out 1 to {len(texts) - 1} of the texts, got {held_out}")
    order = np.random.default_rng(seed).permutation(len(texts))
    kept_back = {texts[place] for place in order[:held_out]}
    training = [line for line in lines if line.text not in kept_back]
    return training, [line for line in lines if line.text in kept_back]


def measure(lines: Sequence[Line]) -> DataConfig:
    """Scale, pace and named hands of the lines."""
    if not lines:
        raise DataError("expected at least one line, found none")
    moves = np.concatenate([line.points[:, :2] for line in lines])  # [points, 2]
    characters = sum(len(line.text) + 1 for line in lines)
    seen = {line.style for line in lines}
    styles = tuple(style for style in STYLES if style in seen)
    return DataConfig(float(moves.std()), len(moves) / characters, styles)


def normalised(line: Line, scale: float) -> dict[str, np.ndarray]:
    """One line as the network reads it."""
    points = (line.points / [scale, scale, 1.0]).astype(np.float32)  # [points, 3]
    characters = line.characters
    if characters is None:
        characters = np.full(len(points), -1)  # [points], unknown
    text = encode(line.text, hand_number(line.style))  # [text + 1]
    return {"text": text, "points": points, "characters": np.int32(characters)}


def make_batches(
    lines: Sequence[Line],
    scale: float,
    batch_size: int,
    buckets: int,
    seed: int | None = None,
    epochs: int | None = 1,
) -> tf.data.Dataset:
    """Batches in at most `buckets` shapes, as the dicts of `SIGNATURE`.

    Training gives a seed (a new order every epoch) and no end of epochs. What is left over in
    a bucket is filled up with empty rows, so that every line is seen in every epoch.
    """
    examples = [normalised(line, scale) for line in lines]
    lengths = [(len(example["text"]), len(example["points"])) for example in examples]
    plan = plan_buckets(lengths, buckets=buckets, batch_size=batch_size, multiple_of=MULTIPLE)
    batches = make_dataset(
        Examples(examples, LAYOUT, seed=seed),
        Buckets.of(plan),
        batch_size=batch_size,
        epochs=epochs,
        remainder="fill",
    )
    return batches.map(lambda batch: {name: batch[name] for name in SIGNATURE})


def inputs_and_targets(
    batch: dict[str, tf.Tensor],
) -> tuple[dict[str, tf.Tensor], tf.Tensor, tf.Tensor]:
    """What the network reads, the points it must predict, and which of these are real."""
    inputs = {"points": batch["points"][:, :-1], "text": batch["text"]}
    mask = tf.cast(batch["points_mask"][:, 1:], tf.float32)  # [batch, time]
    return inputs, batch["points"][:, 1:], mask
