"""Batching strategies side by side: traces, shapes, padding and epoch time, without and with XLA.

    python benchmarks/batching.py [--clips 64] [--epochs 4] [--xla off|on|both] [--lengths spoken|heavy|both]

The lengths are those of the bundled sentences as espeak-ng (or, without it, tones) speaks them, and
heavy-tailed ones. Every variant runs an epoch in turn, each epoch in a new order. Time is the
processor's, over all threads: it tells the strategies apart also on a busy machine. The first epoch
holds most traces and compilations; the later ones are compared by their median, and all together by
their sum. Also prints how far the heuristic for two lengths is from the best set of boxes, found by
brute force on small problems.
"""

import argparse
import logging
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, islice
from pathlib import Path
from statistics import mean, median
from time import process_time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, str(Path(__file__).parents[1]))

import keras
import numpy as np
import tensorflow as tf

from graphdoctor import batching
from graphdoctor.batching.plan import fits
from workloads.speech.config import Config, DataConfig
from workloads.speech.data import LAYOUT, Feature, load_features

BATCH = 8
MELS = 80
CHANNELS = 128


@dataclass
class Variant:
    """One strategy with a step of its own, and what its epochs took."""

    name: str
    batches: Iterator[dict[str, tf.Tensor]]
    batches_per_epoch: int
    step: tf.types.experimental.PolymorphicFunction
    seconds: list[float] = field(default_factory=list)
    shapes: set[tuple[int, int]] = field(default_factory=set)
    padded: int = 0
    real: int = 0

    def run_epoch(self) -> None:
        began = process_time()
        for batch in islice(self.batches, self.batches_per_epoch):
            loss = self.step(batch)
            self.shapes.add((batch["text"].shape[1], batch["mel"].shape[1]))
            self.padded += batch["mel"].shape[0] * batch["mel"].shape[1]
            self.real += int(tf.reduce_sum(batch["mel_length"]))
        loss.numpy()
        self.seconds.append(process_time() - began)


class Rebuilder(keras.Model):
    """Rebuilds a mel from itself and from the text that it attends to: both lengths cost work."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = keras.layers.Embedding(64, CHANNELS)
        self.inner = keras.layers.Conv1D(CHANNELS, 5, padding="same", activation="relu")
        self.outer = keras.layers.Conv1D(MELS, 5, padding="same")

    def call(self, batch: dict[str, tf.Tensor]) -> tf.Tensor:
        keys = self.embedding(batch["text"])  # [batch, text, channels]
        heard = self.inner(batch["mel"])  # [batch, frames, channels]
        scores = tf.matmul(heard, keys, transpose_b=True)  # [batch, frames, text]
        scores = tf.where(batch["text_mask"][:, None], scores, -1e4)
        rebuilt = self.outer(heard + tf.matmul(tf.nn.softmax(scores), keys))  # [batch, frames, mels]
        apart = tf.reduce_mean(tf.abs(rebuilt - batch["mel"]), 2)  # [batch, frames]
        real = tf.cast(batch["mel_mask"], tf.float32)  # [batch, frames]
        return tf.reduce_sum(apart * real) / tf.maximum(tf.reduce_sum(real), 1.0)


def variants(features: list[Feature], xla: bool) -> list[Variant]:
    rows = [{"text": one.text, "mel": one.mel} for one in features]
    examples = batching.Examples(rows, LAYOUT, seed=1)
    plan = batching.plan_buckets(examples.lengths, buckets=4, batch_size=BATCH)
    choices: list[tuple[str, batching.Strategy, bool]] = [
        ("sorted pools, None signature", batching.SortedPools(8), True),
        ("4 planned buckets", batching.Buckets.of(plan), False),
        ("fixed", batching.Fixed(examples.lengths.maxima), True),
        ("random batches, None signature", batching.SortedPools(1), True),
        ("random batches, no signature", batching.SortedPools(1), False),
    ]
    return [_variant(name, examples, strategy, signed, xla) for name, strategy, signed in choices]


def _variant(
    name: str, examples: batching.Examples, strategy: batching.Strategy, signed: bool, xla: bool
) -> Variant:
    once, dataset = (
        batching.make_dataset(examples, strategy, batch_size=BATCH, remainder="fill", epochs=epochs)
        for epochs in (1, None)
    )
    model = Rebuilder()

    def step(batch: dict[str, tf.Tensor]) -> tf.Tensor:
        with tf.GradientTape() as tape:
            loss = model(batch)
        for variable, slope in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(1e-4 * tf.convert_to_tensor(slope))
        return loss

    model(next(iter(once)))
    variables = [variable.value for variable in model.trainable_variables]
    signature = batching.signature(dataset) if signed else None
    function = tf.function(step, input_signature=signature, jit_compile=xla or None)
    return Variant(name, iter(dataset), sum(1 for _ in once), function)


def compare(title: str, features: list[Feature], epochs: int, xla: bool) -> None:
    frames = [len(one.mel) for one in features]
    state = "on" if xla else "off"
    print(f"\n{title}: {len(frames)} clips of {min(frames)} to {max(frames)} frames, XLA {state}")
    print(f"{'':<32} traces  shapes  padding  first epoch  later epochs  all {epochs} (1 = sorted pools)")
    variants(features, xla)[2].run_epoch()  # what a process does only once, nobody is to pay
    contestants = variants(features, xla)
    for _ in range(epochs):
        for one in contestants:
            one.run_epoch()
    yardstick = contestants[0].seconds
    for one in contestants:
        print(
            f"{one.name:<32} {one.step.experimental_get_tracing_count():>6} {len(one.shapes):>7}"
            f" {100 * (one.padded / one.real - 1):>6.1f} % {one.seconds[0] / yardstick[0]:>11.2f}x"
            f" {median(one.seconds[1:]) / median(yardstick[1:]):>12.2f}x"
            f" {sum(one.seconds) / sum(yardstick):>5.2f}x",
            flush=True,
        )
    print(f"sorted pools: {sum(yardstick):.1f} s of processor time in all")


def heavy_tailed(clips: int) -> list[Feature]:
    generator = np.random.default_rng(0)
    frames = np.clip(generator.lognormal(4.3, 0.8, clips), 24, 900).astype(int)
    return [
        Feature("", np.ones(max(2, n // 6), np.int32), generator.normal(size=[n, MELS]).astype(np.float32))
        for n in frames
    ]


def spoken(clips: int) -> list[Feature]:
    with tempfile.TemporaryDirectory() as folder:
        features = load_features(Config(data=DataConfig(cache=folder)))
    return features[:: max(1, len(features) // clips)]  # the bundled list begins with short ones


def gap_to_brute_force(problems: int) -> None:
    """How much more padding the heuristic for two lengths makes than the best boxes there are."""
    generator = random.Random(0)
    gaps = []
    for _ in range(problems):
        pairs = [(generator.randint(1, 5), generator.randint(1, 6)) for _ in range(generator.randint(4, 14))]
        count = min(generator.randint(2, 3), len(set(pairs)))
        found = batching.plan_buckets(pairs, buckets=count).padded_work
        gaps.append(found / best_boxes(pairs, count) - 1)
    exact = sum(gap < 1e-12 for gap in gaps)
    print(
        f"\ntwo lengths, {problems} small problems: {exact} solved best,"
        f" mean gap {100 * mean(gaps):.3f} %, worst {100 * max(gaps):.2f} %"
    )


def best_boxes(pairs: list[tuple[int, int]], count: int) -> int:
    boxes = [(text, mel) for text in {p[0] for p in pairs} for mel in {p[1] for p in pairs}]
    price = {box: [sum(box) if fits(pair, box) else 10**9 for pair in pairs] for box in boxes}
    return min(
        sum(map(min, zip(*(price[box] for box in chosen), strict=True)))
        for size in range(1, count + 1)
        for chosen in combinations(boxes, size)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--clips", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--xla", choices=["off", "on", "both"], default="both")
    parser.add_argument("--lengths", choices=["spoken", "heavy", "both"], default="both")
    options = parser.parse_args()
    logging.getLogger("tensorflow").setLevel(logging.ERROR)  # it warns of the retraces that we count
    if options.epochs < 2:
        parser.error("--epochs must be at least 2: the first holds the traces")
    gap_to_brute_force(300)
    for xla in (False, True):
        if options.xla in ("both", "on" if xla else "off"):
            if options.lengths in ("both", "spoken"):
                compare("spoken sentences", spoken(options.clips), options.epochs, xla)
            if options.lengths in ("both", "heavy"):
                compare("heavy-tailed lengths", heavy_tailed(options.clips), options.epochs, xla)


if __name__ == "__main__":
    main()
