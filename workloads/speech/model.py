"""Text → mel without recurrence: encoder, aligner, durations, decoder.

While training, every symbol guesses one mel frame. The paths along which these guesses meet the
true mel give a posterior, which spreads the text over the frames; a decoder makes the mel of that.
A predictor learns the durations that the posterior gives, and takes its place when speaking.
(Guesses cannot collapse. Scores that a second network read off the mel let the first symbol take
half of the sentence, and stayed there.)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import keras
import tensorflow as tf

from workloads.speech.alignment import IMPOSSIBLE, diagonal_prior, sum_alignments
from workloads.speech.config import Config
from workloads.speech.text import SYMBOLS

SHARPNESS = 0.1  # of the distance per mel bin; higher, and the first paths found are never left


class Outputs(NamedTuple):
    """What the model gives for a batch, and what the losses need."""

    mel: tf.Tensor  # [batch, frames, mels]
    alignment: tf.Tensor  # [batch, frames, text]
    alignment_loss: tf.Tensor  # [batch]
    predicted_durations: tf.Tensor  # [batch, text]
    durations: tf.Tensor  # [batch, text], the target of the prediction


class ConvolutionBlock(keras.layers.Layer):
    """Convolution, normalisation and a residual; padding stays zero."""

    def __init__(self, channels: int, kernel: int) -> None:
        super().__init__()
        self.convolution = keras.layers.Conv1D(channels, kernel, padding="same")
        self.normalisation = keras.layers.LayerNormalization()

    def call(self, values: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:  # type: ignore[override]
        changed = tf.nn.relu(self.normalisation(self.convolution(values)))
        return (values + changed) * mask  # [batch, length, channels]


class TextToMel(keras.Model):
    """The network; `call` trains, `speak` predicts."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        size = config.model
        self.prior_width = size.prior_width
        self.embedding = keras.layers.Embedding(len(SYMBOLS), size.channels)
        self.text_blocks = [ConvolutionBlock(size.channels, size.kernel) for _ in range(size.text_layers)]
        self.guess = keras.layers.Dense(config.audio.mel_bins)
        self.duration_block = ConvolutionBlock(size.channels, 3)
        frames_per_symbol = keras.initializers.Constant(5.0)
        self.duration_output = keras.layers.Dense(1, bias_initializer=frames_per_symbol)
        self.widen = keras.layers.Dense(size.channels)
        self.mel_blocks = [ConvolutionBlock(size.channels, size.kernel) for _ in range(size.mel_layers)]
        self.mel_output = keras.layers.Dense(config.audio.mel_bins)

    def call(self, batch: dict[str, tf.Tensor]) -> Outputs:
        text_mask, mel_mask = _column(batch["text_mask"]), _column(batch["mel_mask"])
        encoded = self.encode(batch["text"], text_mask)  # [batch, text, channels]
        alignment_loss, posterior = self.align(encoded, batch)
        alignment = tf.stop_gradient(posterior)  # [batch, frames, text]
        durations = tf.reduce_sum(alignment, 1)  # [batch, text]
        return Outputs(
            mel=self.decode(encoded, alignment, durations, mel_mask),
            alignment=alignment,
            alignment_loss=alignment_loss,
            predicted_durations=self.predict_durations(encoded, text_mask),
            durations=durations,
        )

    def speak(self, text: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """The mel and the alignment of one text [1, text], with predicted durations."""
        mask = tf.ones_like(text, tf.float32)[:, :, None]  # [1, text, 1]
        encoded = self.encode(text, mask)  # [1, text, channels]
        ends = tf.round(tf.cumsum(self.predict_durations(encoded, mask), axis=1))  # [1, text]
        durations = ends - tf.pad(ends[:, :-1], [[0, 0], [1, 0]])  # [1, text]
        symbols = tf.range(tf.shape(text)[1])
        order = tf.repeat(symbols, tf.cast(durations[0], tf.int32))  # [frames]
        alignment = tf.one_hot(order, tf.shape(text)[1])[None]  # [1, frames, text]
        mel_mask = tf.ones_like(alignment[:, :, :1])  # [1, frames, 1]
        return self.decode(encoded, alignment, durations, mel_mask)[0], alignment[0]

    def encode(self, text: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
        values = self.embedding(text) * mask  # [batch, text, channels]
        for block in self.text_blocks:
            values = block(values, mask)
        return values

    def align(self, encoded: tf.Tensor, batch: dict[str, tf.Tensor]) -> tuple[tf.Tensor, tf.Tensor]:
        """The loss and the posterior of the alignment of the true mel with the text."""
        mel, guess = batch["mel"], self.guess(encoded)  # [batch, frames, mels], [batch, text, mels]
        products = tf.matmul(mel, guess, transpose_b=True)  # [batch, frames, text]
        distances = (
            tf.reduce_sum(tf.square(mel), 2)[:, :, None]
            + tf.reduce_sum(tf.square(guess), 2)[:, None, :]
            - 2 * products
        )  # [batch, frames, text]
        prior = diagonal_prior(
            batch["text_length"],
            batch["mel_length"],
            _length(batch["text"]),
            _length(batch["mel"]),
            self.prior_width,
        )
        scores = prior - SHARPNESS * distances  # [batch, frames, text]
        scores = tf.where(batch["text_mask"][:, None], scores, IMPOSSIBLE)
        return sum_alignments(scores, batch["text_length"], batch["mel_length"])

    def predict_durations(self, encoded: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
        # The durations' loss must not bend the text encoding, which the mel needs.
        values = self.duration_block(tf.stop_gradient(encoded), mask)
        # Frames, not their logarithm: only then do the symbols' means add up to the sentence's.
        return tf.nn.softplus(self.duration_output(values)[:, :, 0])  # [batch, text]

    def decode(
        self, encoded: tf.Tensor, alignment: tf.Tensor, durations: tf.Tensor, mask: tf.Tensor
    ) -> tf.Tensor:
        spread = tf.matmul(alignment, encoded)  # [batch, frames, channels]
        place = _place_in_symbol(alignment, durations)  # [batch, frames, 2]
        values = self.widen(tf.concat([spread, place], 2)) * mask  # [batch, frames, channels]
        for block in self.mel_blocks:
            values = block(values, mask)
        return self.mel_output(values)  # [batch, frames, mels]


def _place_in_symbol(alignment: tf.Tensor, durations: tf.Tensor) -> tf.Tensor:
    """How far each frame is from the middle of its symbol, and how long that symbol is."""
    middles = tf.cumsum(durations, axis=1) - durations / 2  # [batch, text]
    of_symbol = tf.stack([middles, durations], 2)  # [batch, text, 2]
    middle, long = tf.unstack(tf.matmul(alignment, of_symbol), axis=2)  # [batch, frames]
    frame = tf.range(_length(alignment), dtype=tf.float32)[None] + 0.5  # [1, frames]
    offset = (frame - middle) / tf.maximum(long, 1.0)  # [batch, frames]
    return tf.stack([tf.clip_by_value(offset, -2.0, 2.0), tf.math.log1p(long)], 2)


def _column(mask: tf.Tensor) -> tf.Tensor:
    return tf.cast(mask, tf.float32)[:, :, None]  # [batch, length, 1]


def _length(values: tf.Tensor) -> Any:
    """The static length where it is known, so that XLA and grappler see a constant."""
    return values.shape[1] or tf.shape(values)[1]
