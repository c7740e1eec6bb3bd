"""A run's state on disk, written whole or not at all: a kill loses nothing older."""

from __future__ import annotations

from pathlib import Path

import tensorflow as tf

from workloads.speech.errors import SpeechError
from workloads.speech.steps import Steps


class Checkpoints:
    """Weights, optimizer state and the number of finished updates."""

    def __init__(self, steps: Steps, folder: Path, keep: int = 2) -> None:
        self.done = tf.Variable(0, dtype=tf.int64, trainable=False)
        # Plain variables in a fixed order: independent of how Keras names and tracks its layers.
        self._state = tf.train.Checkpoint(
            done=self.done,
            weights=[variable.value for variable in steps.model.variables],
            optimizer=[variable.value for variable in steps.optimizer.variables],
        )
        self._manager = tf.train.CheckpointManager(self._state, str(folder), max_to_keep=keep)

    def save(self, done: int) -> None:
        """Write the state after `done` updates."""
        self.done.assign(done)
        self._manager.save(checkpoint_number=done)

    def restore(self) -> int:
        """Load the newest state; returns the finished updates, zero when there is none."""
        newest = self._manager.latest_checkpoint
        if newest is None:
            return 0
        try:
            self._state.restore(newest).assert_existing_objects_matched()
        except (AssertionError, ValueError, tf.errors.OpError):
            raise SpeechError(
                f"{newest} was written with another model: choose another training.output"
            ) from None
        return int(self.done.numpy())
