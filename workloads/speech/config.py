"""The settings of a run: `config.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from workloads.settings import Natural, Positive, Rate, Settings


class AudioConfig(Settings, frozen=True):
    """How sound becomes log-mels and back."""

    sample_rate: Positive = 22050
    window: Positive = 1024
    hop: Positive = 256
    mel_bins: Positive = 80
    lowest_hertz: Rate = 40.0
    highest_hertz: Rate = 8000.0
    griffin_lim_iterations: Positive = 60


class DataConfig(Settings, frozen=True):
    """Which sentences, and how they become batches."""

    texts: str | None = None  # a file with one sentence per line; None: the bundled sentences
    ljspeech: str | None = None  # a folder with metadata.csv and wavs/; excludes `texts`
    sentences: Positive | None = None  # only the first so many
    voice: Literal["auto", "espeak", "tones"] = "auto"
    words_per_minute: Annotated[int, Meta(ge=80, le=450)] = 190
    cache: str = "speech-run/cache"
    validation_share: Annotated[float, Meta(gt=0, lt=1)] = 0.1
    pad_to_fixed_length: bool = True
    strategy: Literal["sorted_pools", "buckets", "batch_longest"] = "sorted_pools"
    buckets: Positive | None = None  # for `buckets`; None: as many as pay
    max_text_length: Positive = 200
    max_mel_frames: Positive = 800
    batch_size: Positive = 16
    overlong: Literal["error", "drop", "cut", "extend"] = "drop"


class ModelConfig(Settings, frozen=True):
    """The size of the network."""

    channels: Positive = 128
    text_layers: Positive = 3
    mel_layers: Positive = 4
    kernel: Positive = 5
    prior_width: Rate = 0.15  # of the diagonal that alignments are drawn to


class TrainingConfig(Settings, frozen=True):
    """How long, how fast, and by which machinery."""

    steps: Positive = 2000
    learning_rate: Rate = 2e-3
    final_learning_rate: Rate = 1e-4
    gradient_norm: Rate = 1.0
    accumulate: Positive = 1  # batches per update
    enable_graph_mode: bool = True
    enable_xla_compilation: bool = False
    input_signature: bool = True
    distribute: Literal["none", "mirrored", "multi_worker"] = "none"
    validate_every: Positive = 200
    checkpoint_every: Positive = 200
    log_every: Positive = 20
    seed: Natural = 0
    output: str = "speech-run"


class Config(Settings, frozen=True):
    """All settings of a run."""

    data: DataConfig = DataConfig()
    audio: AudioConfig = AudioConfig()
    model: ModelConfig = ModelConfig()
    training: TrainingConfig = TrainingConfig()

    def faults(self) -> Iterator[str]:
        """What is wrong with values that are right one by one."""
        data, audio, training = self.data, self.audio, self.training
        if data.texts and data.ljspeech:
            yield "data.texts and data.ljspeech exclude each other"
        if audio.hop > audio.window:
            yield f"audio.hop {audio.hop} exceeds audio.window {audio.window}"
        if not audio.lowest_hertz < audio.highest_hertz <= audio.sample_rate / 2:
            yield (
                "audio.highest_hertz must lie above lowest_hertz and at most at half of the"
                f" sample rate ({audio.sample_rate / 2:.0f}), got {audio.highest_hertz:.0f}"
            )
        if training.enable_xla_compilation and not training.enable_graph_mode:
            yield "training.enable_xla_compilation needs enable_graph_mode: true"
        if data.max_mel_frames < data.max_text_length and data.overlong == "cut":
            yield (
                "with overlong: cut, data.max_mel_frames must be at least max_text_length:"
                " every symbol needs a frame"
            )
