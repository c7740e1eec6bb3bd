"""Wav files in all their forms, and what is wrong with bad ones."""

import struct

import numpy as np
import pytest

from workloads.speech.errors import SpeechError
from workloads.speech.wav import read_wav, write_wav

RATE = 22050
TONE = 0.5 * np.sin(np.arange(500) / 9)


def wav_bytes(samples, kind, bits, channels=1, rate=RATE):
    data = samples.tobytes() if hasattr(samples, "tobytes") else samples
    block = channels * bits // 8
    form = struct.pack("<HHIIHH", kind, channels, rate, rate * block, block, bits)
    body = b"WAVEfmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def in_24_bits(samples):
    whole = np.round(samples * 2**23).astype("<i4")
    return whole.view(np.uint8).reshape(-1, 4)[:, :3].tobytes()


def test_what_is_written_reads_back(tmp_path):
    write_wav(tmp_path / "tone.wav", TONE, RATE)

    assert np.allclose(read_wav(tmp_path / "tone.wav", RATE), TONE, atol=1e-4)


@pytest.mark.parametrize(
    ("data", "kind", "bits", "channels"),
    [
        ((TONE * 32767).astype("<i2"), 1, 16, 1),
        (in_24_bits(TONE), 1, 24, 1),
        ((TONE * 2**31).astype("<i4"), 1, 32, 1),
        (TONE.astype("<f4"), 3, 32, 1),
        (TONE.astype("<f8"), 3, 64, 1),
        (TONE.astype("<f4").repeat(2), 3, 32, 2),
    ],
)
def test_other_forms_are_read(tmp_path, data, kind, bits, channels):
    (tmp_path / "tone.wav").write_bytes(wav_bytes(data, kind, bits, channels))

    assert np.allclose(read_wav(tmp_path / "tone.wav", RATE), TONE, atol=1e-4)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"", "is not a wav file of 16, 24 or 32 bits"),
        (b"ID3 this is no wav", "is not a wav file of 16, 24 or 32 bits"),
        (wav_bytes(b"abcd", 1, 12), "is not a wav file of 16, 24 or 32 bits"),
        (wav_bytes(b"", 1, 16), "holds no samples"),
        (wav_bytes(np.zeros(9, "<i2"), 1, 16), "is silent throughout"),
        (
            wav_bytes(np.array([0.1, np.nan, np.inf], "<f4"), 3, 32),
            "holds 2 samples that are NaN or infinite",
        ),
        (
            wav_bytes((TONE * 9000).astype("<i2"), 1, 16, rate=8000),
            "has 8000 samples per second, expected 22050: resample",
        ),
    ],
)
def test_bad_files_are_named_with_the_reason(tmp_path, content, message):
    path = tmp_path / "bad.wav"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(SpeechError) as caught:
        read_wav(path, RATE)

    assert str(caught.value) == f"{path} {message}"
