"""Where sentences and their sound come from; every bad row is named before training starts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from workloads.speech.config import AudioConfig, DataConfig
from workloads.speech.errors import SpeechError
from workloads.speech.text import encode
from workloads.speech.voice import choose_voice, speak
from workloads.speech.wav import read_wav

BUNDLED = Path(__file__).parent / "sentences.txt"
SHOWN_PROBLEMS = 5


@dataclass(frozen=True)
class Utterance:
    """A sentence, and the wav file that holds it (None: it is to be spoken)."""

    text: str
    wav: Path | None = None


def list_utterances(config: DataConfig) -> list[Utterance]:
    """The utterances that the settings ask for, at least two (one is kept for validation)."""
    if config.ljspeech:
        utterances = read_ljspeech(Path(config.ljspeech))
    else:
        utterances = read_texts(Path(config.texts) if config.texts else BUNDLED)
    utterances = utterances[: config.sentences]
    if len(utterances) < 2:
        source = config.ljspeech or config.texts or "data.sentences"
        plural = "utterance" if len(utterances) == 1 else "utterances"
        raise SpeechError(
            f"{source} gives {len(utterances)} {plural}, expected at least 2:"
            " one to train on and one to validate with"
        )
    return utterances


def read_texts(path: Path) -> list[Utterance]:
    """One utterance per line that is not empty."""
    lines = _lines(path)
    problems = []
    utterances = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        problem = _unspeakable(line)
        if problem:
            problems.append(f"line {number}: {problem}")
        utterances.append(Utterance(line.strip()))
    _raise_all(path, problems)
    return utterances


def read_ljspeech(folder: Path) -> list[Utterance]:
    """The rows `id|text` or `id|text|normalised text` of metadata.csv, with wavs/<id>.wav."""
    path = folder / "metadata.csv"
    problems: list[str] = []
    utterances, seen = [], set()
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        fields = line.split("|")
        problem = _row_problem(fields, folder, seen)
        if problem:
            problems.append(f"line {number}: {problem}")
            continue
        seen.add(fields[0])
        utterances.append(Utterance(fields[-1].strip(), folder / "wavs" / f"{fields[0]}.wav"))
    _raise_all(path, problems)
    return utterances


def sound_of(utterance: Utterance, data: DataConfig, audio: AudioConfig) -> np.ndarray:
    """The samples of an utterance: read, or spoken; without the silence around it."""
    if utterance.wav:
        samples = read_wav(utterance.wav, audio.sample_rate)
    else:
        samples = speak(utterance.text, choose_voice(data), data.words_per_minute, audio)
    return trim(samples, audio.sample_rate)


def trim(samples: np.ndarray, sample_rate: int, threshold: float = 0.01) -> np.ndarray:
    """The samples from the first to the last that is heard, and 20 ms on either side."""
    heard = np.flatnonzero(np.abs(samples) > threshold * np.abs(samples).max())
    margin = sample_rate // 50
    return samples[max(0, heard[0] - margin) : heard[-1] + margin]


def _row_problem(fields: list[str], folder: Path, seen: set[str]) -> str | None:
    if len(fields) not in (2, 3):
        return f"expected id|text or id|text|normalised text, got {len(fields)} fields"
    name = fields[0]
    if not name.strip() or name != Path(name).name:
        return f"expected the name of a file in wavs/, got {name!r}"
    if name in seen:
        return f"{name!r} occurs twice"
    if not (folder / "wavs" / f"{name}.wav").is_file():
        return f"wavs/{name}.wav is missing"
    return _unspeakable(fields[-1])


def _unspeakable(text: str) -> str | None:
    try:
        encode(text)
    except SpeechError:
        return f"there is nothing to speak in {text.strip()!r}"
    return None


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SpeechError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SpeechError(f"{path} is not UTF-8 text") from None


def _raise_all(path: Path, problems: list[str]) -> None:
    if not problems:
        return
    more = len(problems) - SHOWN_PROBLEMS
    shown = "; ".join(problems[:SHOWN_PROBLEMS]) + (f"; and {more} more" if more > 0 else "")
    raise SpeechError(f"{path}: {shown}")
