"""`config.yaml` → frozen settings; an unknown key or a wrong value is a clear error."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from workloads.speech.errors import SpeechError

Positive = Annotated[int, Meta(ge=1)]
Natural = Annotated[int, Meta(ge=0)]
Rate = Annotated[float, Meta(gt=0)]


class Frozen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all sections share."""


class AudioConfig(Frozen, frozen=True):
    """How sound becomes log-mels and back."""

    sample_rate: Positive = 22050
    window: Positive = 1024
    hop: Positive = 256
    mel_bins: Positive = 80
    lowest_hertz: Rate = 40.0
    highest_hertz: Rate = 8000.0
    griffin_lim_iterations: Positive = 60


class DataConfig(Frozen, frozen=True):
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


class ModelConfig(Frozen, frozen=True):
    """The size of the network."""

    channels: Positive = 128
    text_layers: Positive = 3
    mel_layers: Positive = 4
    kernel: Positive = 5
    prior_width: Rate = 0.15  # of the diagonal that alignments are drawn to


class TrainingConfig(Frozen, frozen=True):
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


class Config(Frozen, frozen=True):
    """All settings of a run."""

    data: DataConfig = DataConfig()
    audio: AudioConfig = AudioConfig()
    model: ModelConfig = ModelConfig()
    training: TrainingConfig = TrainingConfig()


def load_config(path: Path) -> Config:
    """The settings of a YAML file, checked."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SpeechError(f"{path} cannot be read: {error.strerror}") from None
    return parse_config(text, str(path))


def parse_config(text: str, name: str = "config") -> Config:
    """The settings of a YAML text, checked."""
    try:
        values = msgspec.yaml.decode(text)
    except msgspec.DecodeError as error:
        raise SpeechError(f"{name} is not YAML: {' '.join(str(error).split())}") from None
    return convert_config(values, name)


def _check(config: Config, name: str) -> None:
    data, audio, training = config.data, config.audio, config.training
    if data.texts and data.ljspeech:
        raise SpeechError(f"{name}: data.texts and data.ljspeech exclude each other")
    if audio.hop > audio.window:
        raise SpeechError(f"{name}: audio.hop {audio.hop} exceeds audio.window {audio.window}")
    if not audio.lowest_hertz < audio.highest_hertz <= audio.sample_rate / 2:
        raise SpeechError(
            f"{name}: audio.highest_hertz must lie above lowest_hertz and at most at half of the"
            f" sample rate ({audio.sample_rate / 2:.0f}), got {audio.highest_hertz:.0f}"
        )
    if training.enable_xla_compilation and not training.enable_graph_mode:
        raise SpeechError(f"{name}: training.enable_xla_compilation needs enable_graph_mode: true")
    if data.max_mel_frames < data.max_text_length and data.overlong == "cut":
        raise SpeechError(
            f"{name}: with overlong: cut, data.max_mel_frames must be at least max_text_length:"
            " every symbol needs a frame"
        )


def save_config(config: Config, path: Path) -> None:
    """Write the settings beside what they made."""
    path.write_bytes(msgspec.yaml.encode(config))


def convert_config(values: object, name: str = "config") -> Config:
    """The settings of an already parsed mapping, checked."""
    try:
        config = msgspec.convert(values or {}, Config)
    except msgspec.ValidationError as error:
        raise SpeechError(f"{name}: {error}") from None
    _check(config, name)
    return config
