"""Wav files in and out, with clear errors; 16-bit, 24-bit, 32-bit and float are read."""

from __future__ import annotations

import struct
import wave
from pathlib import Path

import numpy as np

from workloads.speech.errors import SpeechError

PCM, FLOAT, EXTENSIBLE = 1, 3, 0xFFFE


def read_wav(path: Path, sample_rate: int) -> np.ndarray:
    """The samples between -1 and 1 of a file with this sample rate, as one channel."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SpeechError(f"{path} cannot be read: {error.strerror}") from None
    try:
        samples, rate = _decode(data)
    except (struct.error, ValueError, KeyError):
        raise SpeechError(f"{path} is not a wav file of 16, 24 or 32 bits") from None
    if rate != sample_rate:
        raise SpeechError(f"{path} has {rate} samples per second, expected {sample_rate}: resample")
    return check_samples(samples, str(path))


def check_samples(samples: np.ndarray, name: str) -> np.ndarray:
    """The samples, unless there are none, or some are no numbers, or all are silent."""
    if samples.size == 0:
        raise SpeechError(f"{name} holds no samples")
    bad = int(np.count_nonzero(~np.isfinite(samples)))
    if bad:
        raise SpeechError(f"{name} holds {bad} samples that are NaN or infinite")
    if not np.any(samples):
        raise SpeechError(f"{name} is silent throughout")
    return samples.astype(np.float32)  # [samples]


def write_wav(path: Path, samples: np.ndarray, sample_rate: int) -> None:
    """Write samples between -1 and 1 as 16 bits."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(sample_rate)
        file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())


def _decode(data: bytes) -> tuple[np.ndarray, int]:
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise ValueError
    chunks = _chunks(data)
    kind, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", chunks[b"fmt "])
    if kind == EXTENSIBLE:
        (kind,) = struct.unpack_from("<H", chunks[b"fmt "], 24)
    flat = _samples(chunks[b"data"], kind, bits)  # [samples * channels]
    return flat.reshape(-1, channels).mean(1), rate  # [samples]


def _chunks(data: bytes) -> dict[bytes, bytes]:
    """The chunks by name; a size beyond the end (as in piped files) means up to the end."""
    chunks, at = {}, 12
    while at + 8 <= len(data):
        name, size = struct.unpack_from("<4sI", data, at)
        chunks[name] = data[at + 8 : at + 8 + size]
        at += 8 + size + size % 2
    return chunks


def _samples(raw: bytes, kind: int, bits: int) -> np.ndarray:
    whole = raw[: len(raw) - len(raw) % (bits // 8)]
    if kind == FLOAT and bits in (32, 64):
        return np.frombuffer(whole, f"<f{bits // 8}")
    if kind == PCM and bits in (16, 32):
        return np.frombuffer(whole, f"<i{bits // 8}") / 2.0 ** (bits - 1)
    if kind == PCM and bits == 24:
        padded = np.zeros([len(whole) // 3, 4], np.uint8)  # [samples, bytes]
        padded[:, 1:] = np.frombuffer(whole, np.uint8).reshape(-1, 3)
        return padded.view("<i4")[:, 0] / 2.0**31
    raise ValueError
