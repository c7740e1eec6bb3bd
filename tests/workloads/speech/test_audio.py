"""Sound becomes mels, and mels become sound again."""

import numpy as np
import pytest

from workloads.speech.config import AudioConfig

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]


@pytest.fixture(scope="module")
def codec():
    from workloads.speech.audio import MelCodec

    return MelCodec(AudioConfig(griffin_lim_iterations=20))


def tone(hertz, seconds=0.5):
    return (0.5 * np.sin(2 * np.pi * hertz * np.arange(round(22050 * seconds)) / 22050)).astype("f4")


def test_a_higher_tone_has_its_peak_in_a_higher_bin(codec):
    low, high = (codec.encode(tone(hertz)).mean(0).argmax() for hertz in (300, 3000))

    assert low < high


def test_there_is_one_frame_per_hop(codec):
    assert codec.encode(tone(400)).shape == (1 + 11025 // 256, 80)


def test_sound_survives_the_way_through_mels(codec):
    mel = codec.encode(tone(440))

    again = codec.encode(codec.decode(mel))

    heard = min(len(mel), len(again))
    assert np.abs(mel[4 : heard - 4] - again[4 : heard - 4]).mean() < 0.35
    assert again.mean(0).argmax() == mel.mean(0).argmax()


def test_decoding_never_clips(codec):
    loud = np.full([20, 80], 2.0, np.float32)

    assert np.abs(codec.decode(loud)).max() <= 0.96
