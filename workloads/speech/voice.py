"""Who speaks: espeak-ng, or tones where there is no espeak-ng."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from workloads.speech.config import AudioConfig, DataConfig
from workloads.speech.errors import SpeechError
from workloads.speech.text import SYMBOLS, encode
from workloads.speech.wav import check_samples, read_wav

PROGRAM = "espeak-ng"
ESPEAK_RATE = 22050


def choose_voice(config: DataConfig) -> str:
    """`espeak` or `tones`: what was asked for, or what there is."""
    there = shutil.which(PROGRAM) is not None
    if config.voice == "espeak" and not there:
        raise SpeechError(f"{PROGRAM} is not installed: apt-get install {PROGRAM}, or set data.voice: tones")
    if config.voice == "auto":
        return "espeak" if there else "tones"
    return config.voice


def speak(text: str, voice: str, words_per_minute: int, audio: AudioConfig) -> np.ndarray:
    """The samples of a spoken text."""
    if voice == "tones":
        return _tones(text, words_per_minute, audio.sample_rate)
    if audio.sample_rate != ESPEAK_RATE:
        raise SpeechError(f"{PROGRAM} speaks at {ESPEAK_RATE} samples per second: set sample_rate")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "speech.wav"
        command = [PROGRAM, "-v", "en-us", "-s", str(words_per_minute), "-w", str(path)]
        done = subprocess.run([*command, "--stdin"], input=text, text=True, capture_output=True)
        if done.returncode or not path.exists():
            raise SpeechError(f"{PROGRAM} could not speak {text!r}: {done.stderr.strip()}")
        return read_wav(path, audio.sample_rate)


def tone_durations(text: str, words_per_minute: int) -> list[float]:
    """Seconds of each symbol's tone: letters differ, so that there is something to learn."""
    unit = 9.0 / words_per_minute
    return [unit * (1.0 + 0.5 * (index * 7 % 5) / 4) for index in encode(text)]


def _tones(text: str, words_per_minute: int, sample_rate: int) -> np.ndarray:
    """One tone per symbol, its pitch given by the symbol; spaces and stops are near-silent."""
    pieces = []
    for index, seconds in zip(encode(text), tone_durations(text, words_per_minute), strict=True):
        time = np.arange(round(seconds * sample_rate)) / sample_rate
        pitch = 200.0 * 2 ** (index / 12)
        loud = 0.3 if SYMBOLS[index].isalpha() else 0.01
        fade = np.minimum(1, np.minimum(time, time[-1] - time) / 0.004)
        wave = np.sin(2 * np.pi * pitch * time) + 0.5 * np.sin(4 * np.pi * pitch * time)
        pieces.append(loud * fade * wave)
    return check_samples(np.concatenate(pieces), "the tones")
