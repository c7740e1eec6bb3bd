"""The trainer: data, steps and state together, in the form that `graphdoctor diagnose` takes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from graphdoctor import batching
from workloads.speech.checkpoints import Checkpoints
from workloads.speech.config import Config
from workloads.speech.data import Feature, choose_strategy, load_features, make_batches, split
from workloads.speech.distribution import distributed, make_strategy
from workloads.speech.losses import means
from workloads.speech.steps import Steps
from workloads.speech.text import encode, unknown_characters
from workloads.speech.voice import choose_voice


class Trainer:
    """A text-to-mel training run that can be stopped and resumed at any update."""

    def __init__(self, config: Config, strategy: tf.distribute.Strategy | None = None) -> None:
        self.config = config
        self.strategy = strategy or make_strategy(config)
        self.voice = "recordings" if config.data.ljspeech else choose_voice(config.data)
        features = load_features(config)
        self.training, self.validation = split(features, config)
        self.shapes = choose_strategy(features, config)
        replicas = self.strategy.num_replicas_in_sync
        ours = make_batches(self.training, self.shapes, config, training=True, replicas=replicas)
        theirs = make_batches(self.validation, self.shapes, config, training=False, replicas=replicas)
        self.notes = (*_left_out(features), *ours.notes, *theirs.notes)
        self._dataset = ours.dataset
        self._validation = distributed(theirs.dataset, self.strategy)
        self.steps = Steps(config, self.strategy, batching.signature(self._validation))
        self.checkpoints = Checkpoints(self.steps, Path(config.training.output) / "checkpoints")
        self.train_step = self.steps.train
        self.accumulate_step = self.steps.accumulate
        self.validation_step = self.steps.validate

    def batches(self, start: int = 0) -> Iterator[Any]:
        """The training batches, from a number of finished batches on."""
        dataset = self._dataset.skip(start) if start else self._dataset
        return iter(distributed(dataset, self.strategy))

    def validation_batches(self) -> Iterator[Any]:
        """Every validation batch once."""
        return iter(self._validation)

    def update(self, batches: Iterator[Any]) -> dict[str, float]:
        """One update of the weights, from one batch or several accumulated; its mean losses."""
        count = self.config.training.accumulate
        if count == 1:
            losses = [self.train_step(next(batches))]
        else:
            losses = [self.accumulate_step(next(batches)) for _ in range(count)]
            self.steps.apply()
        return {name: sum(float(one[name]) for one in losses) / count for name in losses[0]}

    def validate(self) -> dict[str, float]:
        """The mean losses over all validation examples."""
        totals: dict[str, tf.Tensor] = {}
        for batch in self.validation_batches():
            for name, total in self.validation_step(batch).items():
                totals[name] = totals.get(name, 0.0) + total  # [2]
        return {name: float(value) for name, value in means(totals).items()}

    def aligned(self, feature: Feature) -> tuple[np.ndarray, np.ndarray]:
        """The mel and the alignment [frames, text] for an utterance whose sound is known."""
        outputs = self.steps.model(_one(feature))
        return outputs.mel[0].numpy(), outputs.alignment[0].numpy()

    def speak(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        """The mel [frames, mels] and the alignment [frames, text] of any text."""
        mel, alignment = self.steps.model.speak(tf.constant([encode(text)]))
        return mel.numpy(), alignment.numpy()


def _left_out(features: list[Feature]) -> list[str]:
    """A note on the characters that no symbol stands for."""
    unknown = sorted(set().union(*(unknown_characters(one.sentence) for one in features)))
    return [f"characters left out of the texts: {' '.join(unknown)}"] if unknown else []


def _one(feature: Feature) -> dict[str, tf.Tensor]:
    text, mel = tf.constant(feature.text)[None], tf.constant(feature.mel)[None]
    return {
        "text": text,  # [1, text]
        "text_length": tf.constant([len(feature.text)]),
        "text_mask": tf.ones_like(text, tf.bool),
        "mel": mel,  # [1, frames, mels]
        "mel_length": tf.constant([len(feature.mel)]),
        "mel_mask": tf.ones_like(mel[:, :, 0], tf.bool),
        "row_mask": tf.constant([True]),
    }
