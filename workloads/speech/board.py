"""TensorBoard: scalars, and the mel and alignment of one validation sentence."""

from __future__ import annotations

from pathlib import Path

import tensorflow as tf

from workloads.speech.pictures import above, alignment_picture, mel_picture
from workloads.speech.trainer import Trainer


class Board:
    """What `tensorboard --logdir RUN/board` shows."""

    def __init__(self, folder: Path) -> None:
        self._writer = tf.summary.create_file_writer(str(folder))

    def scalars(self, values: dict[str, float], part: str, step: int) -> None:
        """Losses of training or validation."""
        with self._writer.as_default(step):
            for name, value in values.items():
                tf.summary.scalar(f"{part}/{name}", value)

    def pictures(self, trainer: Trainer, step: int) -> None:
        """True mel above predicted mel, and the alignment, of the first validation sentence."""
        feature = trainer.validation[0]
        mel, alignment = trainer.aligned(feature)
        with self._writer.as_default(step):
            tf.summary.image("mel", above(mel_picture(feature.mel), mel_picture(mel))[None])
            tf.summary.image("alignment", alignment_picture(alignment)[None])
        self._writer.flush()
