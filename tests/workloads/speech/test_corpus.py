"""Sentences and recordings, with every bad row named."""

import os
import shutil

import numpy as np
import pytest

from workloads.speech.config import AudioConfig, DataConfig
from workloads.speech.corpus import list_utterances, read_ljspeech, read_texts, sound_of, trim
from workloads.speech.errors import SpeechError
from workloads.speech.voice import choose_voice, speak, tone_durations
from workloads.speech.wav import write_wav


@pytest.fixture
def ljspeech(tmp_path):
    for name in ("a-1", "a-2"):
        write_wav(tmp_path / "wavs" / f"{name}.wav", np.sin(np.arange(9000) / 5) / 2, 22050)
    (tmp_path / "metadata.csv").write_text("a-1|Room 2|Room two\na-2|Second row\n")
    return tmp_path


def test_a_folder_in_ljspeech_layout_is_read(ljspeech):
    utterances = read_ljspeech(ljspeech)

    assert [one.text for one in utterances] == ["Room two", "Second row"]
    assert len(sound_of(utterances[0], DataConfig(), AudioConfig())) == pytest.approx(9000, abs=5)


def test_bad_rows_are_named_by_line(ljspeech):
    rows = ["a-1|Fine", "no bars", "a-3|Nobody recorded this", "a-1|Again", "a-2|?!", "../x|Out"]
    (ljspeech / "metadata.csv").write_text("\n".join([*rows, "|No name"]))

    with pytest.raises(SpeechError) as caught:
        read_ljspeech(ljspeech)

    assert str(caught.value) == (
        f"{ljspeech / 'metadata.csv'}:"
        " line 2: expected id|text or id|text|normalised text, got 1 fields;"
        " line 3: wavs/a-3.wav is missing;"
        " line 4: 'a-1' occurs twice;"
        " line 5: there is nothing to speak in '?!';"
        " line 6: expected the name of a file in wavs/, got '../x'; and 1 more"
    )


def test_a_missing_metadata_file_is_named(tmp_path):
    with pytest.raises(SpeechError, match=r"metadata.csv cannot be read: No such file"):
        read_ljspeech(tmp_path)


def test_texts_are_read_and_bad_lines_named(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("One line.\n\nAnother.\n")
    assert [one.text for one in read_texts(path)] == ["One line.", "Another."]

    path.write_text("One line.\n...\n")
    with pytest.raises(SpeechError, match=r"line 2: there is nothing to speak in '\.\.\.'"):
        read_texts(path)


@pytest.mark.parametrize(("lines", "count"), [("", "0 utterances"), ("Only one.\n", "1 utterance")])
def test_fewer_than_two_utterances_are_refused(tmp_path, lines, count):
    (tmp_path / "texts.txt").write_text(lines)

    with pytest.raises(SpeechError) as caught:
        list_utterances(DataConfig(texts=str(tmp_path / "texts.txt")))

    assert str(caught.value) == (
        f"{tmp_path / 'texts.txt'} gives {count}, expected at least 2:"
        " one to train on and one to validate with"
    )


def test_silence_around_speech_is_trimmed():
    samples = np.concatenate([np.zeros(5000), np.ones(300), np.zeros(7000)])

    assert len(trim(samples, 22050)) == pytest.approx(300 + 2 * 441, abs=2)


def test_tones_are_as_long_as_they_say():
    text = "a short one."

    samples = speak(text, "tones", 200, AudioConfig())

    assert len(samples) / 22050 == pytest.approx(sum(tone_durations(text, 200)), abs=0.01)


def test_espeak_is_asked_for_where_it_is_absent(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda program: None)

    assert choose_voice(DataConfig(voice="auto")) == "tones"
    with pytest.raises(SpeechError, match="espeak-ng is not installed: apt-get install espeak-ng"):
        choose_voice(DataConfig(voice="espeak"))


def test_espeak_speaks():
    if shutil.which("espeak-ng") is None:
        assert os.environ.get("CI") != "true", "CI must have espeak-ng"
        pytest.skip("espeak-ng is not installed")

    samples = speak("Good morning.", "espeak", 190, AudioConfig())

    assert 0.4 < len(samples) / 22050 < 2.5
    with pytest.raises(SpeechError, match="speaks at 22050 samples per second"):
        speak("Good morning.", "espeak", 190, AudioConfig(sample_rate=16000))
