"""A configuration is checked whole before anything starts."""

from pathlib import Path

import pytest

import workloads.speech
from workloads.settings import SettingsError, load, parse, save
from workloads.speech.config import Config

FOLDER = Path(workloads.speech.__file__).parent


@pytest.mark.parametrize("name", ["config.yaml", "config_small.yaml"])
def test_the_shipped_configurations_are_valid(name):
    assert isinstance(load(Config, FOLDER / name), Config)


def test_an_empty_file_means_the_defaults():
    assert parse(Config, "") == Config()


def test_a_saved_configuration_reads_back_the_same(tmp_path):
    config = parse(Config, "data: {batch_size: 3, buckets: 2}")
    save(config, tmp_path / "config.yaml")

    assert load(Config, tmp_path / "config.yaml") == config


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "data: {batchsize: 3}",
            "config: Object contains unknown field `batchsize` - at `$.data`",
        ),
        ("data: {batch_size: -4}", "config: Expected `int` >= 1 - at `$.data.batch_size`"),
        ("data: {max_mel_frames: 0}", "config: Expected `int` >= 1 - at `$.data.max_mel_frames`"),
        (
            "data: {batch_size: null}",
            "config: Expected `int`, got `null` - at `$.data.batch_size`",
        ),
        (
            "data: {pad_to_fixed_length: maybe}",
            "config: Expected `bool`, got `str` - at `$.data.pad_to_fixed_length`",
        ),
        (
            "data: {strategy: luck}",
            "config: Invalid enum value 'luck' - at `$.data.strategy`",
        ),
        (
            "training: {learning_rate: 0}",
            "config: Expected `float` > 0.0 - at `$.training.learning_rate`",
        ),
        (
            "training: {enable_xla_compilation: true, enable_graph_mode: false}",
            "config: training.enable_xla_compilation needs enable_graph_mode: true",
        ),
        (
            "data: {texts: a.txt, ljspeech: b}",
            "config: data.texts and data.ljspeech exclude each other",
        ),
        ("audio: {hop: 2048}", "config: audio.hop 2048 exceeds audio.window 1024"),
        (
            "audio: {highest_hertz: 16000}",
            "config: audio.highest_hertz must lie above lowest_hertz and at most at half of the"
            " sample rate (11025), got 16000",
        ),
        (
            "data: {max_mel_frames: 10, overlong: cut}",
            "config: with overlong: cut, data.max_mel_frames must be at least max_text_length:"
            " every symbol needs a frame",
        ),
        ("data: [", "config is not YAML: while parsing a flow node"),
    ],
)
def test_what_is_wrong_is_named(text, message):
    with pytest.raises(SettingsError) as caught:
        parse(Config, text)

    assert str(caught.value)[: len(message)] == message


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(SettingsError, match=r"none.yaml cannot be read: No such file or directory"):
        load(Config, tmp_path / "none.yaml")
