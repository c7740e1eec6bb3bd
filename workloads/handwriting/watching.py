"""Watching a training: a bar on the terminal, figures and pictures for TensorBoard."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import tensorflow as tf
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

from workloads.handwriting.drawing import attention_image, make_page, to_image
from workloads.handwriting.train import Progress, Watcher
from workloads.handwriting.trainer import Result, Trainer
from workloads.handwriting.writer import Writer

SAMPLE_TEXT = "hello world"


def describe(result: Result) -> str:
    """`loss -1.234, alignment 97.1 %`."""
    known = not math.isnan(result.alignment)
    alignment = f"{100 * result.alignment:.1f} %" if known else "unknown"
    return f"loss {result.loss:.3f}, alignment {alignment}"


class Bar:
    """A progress bar with loss and alignment of the last step and of the last evaluation."""

    def __init__(self, steps: int):
        columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = RichProgress(TextColumn("{task.description}"), *columns)
        self._task = self._bar.add_task("preparing lines", total=steps)

    def __enter__(self) -> "Bar":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def __call__(self, progress: Progress, trainer: Trainer) -> None:
        self._bar.update(self._task, completed=progress.step, description=describe(progress.trained))
        if progress.evaluated:
            figures = describe(progress.evaluated)
            self._bar.console.print(f"step {progress.step}: held-out lines: {figures}")


class Board:
    """Curves at every step; a written line and its attention at every evaluation."""

    def __init__(self, folder: Path):
        self._writer = tf.summary.create_file_writer(str(folder))
        self._pen: Writer | None = None

    def __enter__(self) -> "Board":
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def __call__(self, progress: Progress, trainer: Trainer) -> None:
        with self._writer.as_default(step=progress.step):
            _write_scalars("training", progress.trained)
            if progress.evaluated:
                _write_scalars("validation", progress.evaluated)
                self._write_pictures(trainer)

    def _write_pictures(self, trainer: Trainer) -> None:
        self._pen = self._pen or Writer(trainer.model, trainer.scale)
        line = self._pen.write([SAMPLE_TEXT])[0]
        pictures = {"strokes": to_image(make_page([line])), "attention": attention_image(line)}
        for name, image in pictures.items():
            pixels = np.asarray(image)[np.newaxis, :, :, np.newaxis]  # [1, height, width, 1]
            tf.summary.image(name, pixels)


def _write_scalars(kind: str, result: Result) -> None:
    tf.summary.scalar(f"{kind}/loss", result.loss)
    if not math.isnan(result.alignment):
        tf.summary.scalar(f"{kind}/alignment", result.alignment)


def all_of(watchers: Sequence[Watcher]) -> Watcher:
    """One watcher that tells them all."""

    def tell(progress: Progress, trainer: Trainer) -> None:
        for watcher in watchers:
            watcher(progress, trainer)

    return tell
