"""Sound ↔ log-mels, both in graph mode."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from workloads.speech.config import AudioConfig

FLOOR = 1e-5  # below it a mel is silence
CENTRE, SPREAD = -2.0, 4.0  # log-mels of speech have about this mean and deviation
SILENCE = (np.log(FLOOR) - CENTRE) / SPREAD  # what pads a mel


class MelCodec:
    """Log-mels of sound, and sound again from log-mels (by Griffin-Lim)."""

    def __init__(self, config: AudioConfig) -> None:
        self.config = config
        bins = config.window // 2 + 1
        self._weights = tf.signal.linear_to_mel_weight_matrix(
            config.mel_bins, bins, config.sample_rate, config.lowest_hertz, config.highest_hertz
        )  # [bins, mels]
        self._inverse = tf.constant(np.linalg.pinv(self._weights.numpy()))  # [mels, bins]
        any_sound = [tf.TensorSpec([None], tf.float32)]
        any_mel = [tf.TensorSpec([None, config.mel_bins], tf.float32)]
        self._encode = tf.function(self._to_mel, input_signature=any_sound)
        self._decode = tf.function(self._to_sound, input_signature=any_mel)

    def encode(self, samples: np.ndarray) -> np.ndarray:
        """The log-mels of some samples: [frames, mels], one frame per hop."""
        return self._encode(samples).numpy()

    def decode(self, mel: np.ndarray) -> np.ndarray:
        """Samples that sound like these log-mels, at most 0.95 loud."""
        samples = self._decode(mel).numpy()
        return samples * min(1.0, 0.95 / max(float(np.abs(samples).max()), 1e-9))

    def _to_mel(self, samples: tf.Tensor) -> tf.Tensor:
        half = self.config.window // 2
        padded = tf.pad(samples, [[half, half]])  # [samples + window]
        magnitude = tf.abs(self._stft(padded))  # [frames, bins]
        mel = tf.math.log(tf.maximum(magnitude @ self._weights, FLOOR))  # [frames, mels]
        return (mel - CENTRE) / SPREAD

    def _to_sound(self, mel: tf.Tensor) -> tf.Tensor:
        loudness = tf.exp(mel * SPREAD + CENTRE)  # [frames, mels]
        magnitude = tf.maximum(loudness @ self._inverse, 0.0)  # [frames, bins]
        target = tf.cast(magnitude, tf.complex64)
        angles = tf.random.stateless_uniform(tf.shape(magnitude), [1, 2], maxval=2 * np.pi)
        phase = tf.exp(tf.complex(0.0, angles))  # [frames, bins]

        def improve(_: tf.Tensor, phase: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            rebuilt = self._stft(self._inverse_stft(target * phase))  # [frames, bins]
            return _ + 1, rebuilt / tf.cast(tf.maximum(tf.abs(rebuilt), 1e-8), tf.complex64)

        rounds = self.config.griffin_lim_iterations
        _, phase = tf.while_loop(lambda done, _: done < rounds, improve, (0, phase))
        half = self.config.window // 2
        return self._inverse_stft(target * phase)[half:-half]  # [samples]

    def _stft(self, samples: tf.Tensor) -> tf.Tensor:
        return tf.signal.stft(samples, self.config.window, self.config.hop)  # [frames, bins]

    def _inverse_stft(self, spectrum: tf.Tensor) -> tf.Tensor:
        window = tf.signal.inverse_stft_window_fn(self.config.hop)
        return tf.signal.inverse_stft(
            spectrum, self.config.window, self.config.hop, window_fn=window
        )  # [samples]
