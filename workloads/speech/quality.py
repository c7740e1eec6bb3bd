"""How good a trained model is, beside the loss: alignment and durations on unheard sentences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workloads.speech.alignment import diagonality
from workloads.speech.data import Feature
from workloads.speech.trainer import Trainer


@dataclass(frozen=True)
class Quality:
    """Means over the validation sentences.

    `baseline_error` is the duration error of frames proportional to the number of symbols, and
    `baseline_mel` the mel loss of always predicting the mean frame: what knowing nothing gives.
    """

    diagonality: float
    duration_error: float
    baseline_error: float
    mel: float
    baseline_mel: float

    def sentence(self) -> str:
        """The figures in one line."""
        return (
            f"alignment diagonality {self.diagonality:.3f} · duration error"
            f" {100 * self.duration_error:.1f} % (proportional to text:"
            f" {100 * self.baseline_error:.1f} %) · validation mel loss {self.mel:.3f}"
            f" (mean frame: {self.baseline_mel:.3f})"
        )


def judge(trainer: Trainer, mel_loss: float) -> Quality:
    """The quality on the validation sentences."""
    per_symbol = sum(len(one.mel) for one in trainer.training) / sum(
        len(one.text) for one in trainer.training
    )
    mean_frame = np.concatenate([one.mel for one in trainer.training]).mean(0)  # [mels]
    alignments = [trainer.aligned(one)[1] for one in trainer.validation]
    return Quality(
        diagonality=float(np.mean([diagonality(one) for one in alignments])),
        duration_error=_mean_error(trainer.validation, lambda one: spoken_frames(trainer, one)),
        baseline_error=_mean_error(trainer.validation, lambda one: per_symbol * len(one.text)),
        mel=mel_loss,
        baseline_mel=float(
            np.abs(np.concatenate([one.mel for one in trainer.validation]) - mean_frame).mean()
        ),
    )


def spoken_frames(trainer: Trainer, feature: Feature) -> int:
    """How long the model would speak a sentence, in frames."""
    mel, _ = trainer.steps.model.speak(feature.text[None])
    return len(mel)


def _mean_error(features: list[Feature], predict) -> float:  # type: ignore[no-untyped-def]
    errors = [abs(predict(one) - len(one.mel)) / len(one.mel) for one in features]
    return float(np.mean(errors))
