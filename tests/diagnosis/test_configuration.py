"""Settings are held against the batches and traces that were seen."""

import dataclasses
import types

import pytest
from tests.measuring import make_phase, make_step

from graphdoctor.diagnosis.configuration import Check, check_configuration
from graphdoctor.diagnosis.measurements import Measurements
from graphdoctor.diagnosis.settings import plain_settings


def lines(config, *steps, compiled=False, own=None):
    steps = steps or (make_step(800, tracing=1.0, text=200), make_step(800, text=200))
    found = check_configuration(config, Measurements((make_phase(*steps),), settings=own), compiled)
    return [(check.passed, check.sentence) for check in found]


@pytest.mark.parametrize(
    ("config", "passed", "sentence"),
    [
        ({"data": {"batch_size": 4}}, True, "batch_size is 4, and so many rows the batches have"),
        ({"data": {"batch_size": 56}}, None, "batch_size is 56, the batches have 4 rows"),
        (
            {"data": {"batch_size": None}},
            False,
            "batch_size is not set: expected a whole number of at least 1",
        ),
        ({"batch_size": -3}, False, "batch_size is -3: expected a whole number of at least 1"),
        ({"batch_size": True}, False, "batch_size is true: expected a whole number of at least 1"),
        ({"max_mel_frames": 0}, False, "max_mel_frames is 0: expected a whole number of at least 1"),
        ({"max_mel_frames": 900}, True, "max_mel_frames is 900"),
        (
            {"pad_to_fixed_length": True},
            False,
            "pad_to_fixed_length is true and needs max_text_length and max_mel_frames",
        ),
        ({"pad_to_fixed_length": "yes"}, False, "pad_to_fixed_length is 'yes'"),
        ({"enable_graph_mode": True}, True, "enable_graph_mode is true, and steps are traced"),
        ({"enable_graph_mode": 1}, False, "enable_graph_mode is 1: expected true or false"),
        (
            {"enable_xla_compilation": True},
            False,
            "enable_xla_compilation is true, but no step uses jit_compile",
        ),
        (
            {"enable_xla_compilation": False},
            True,
            "enable_xla_compilation is false, and no step uses jit_compile",
        ),
        ({"rate": 3}, None, "none of pad_to_fixed_length, max_text_length, max_mel_frames, batch_size,"
         " enable_graph_mode, enable_xla_compilation is set"),
    ],
)  # fmt: skip
def test_each_setting_is_checked(config, passed, sentence):
    assert lines(config) == [(passed, sentence)]


def test_fixed_lengths_must_be_those_of_the_batches():
    config = {"pad_to_fixed_length": True, "max_text_length": 200, "max_mel_frames": 900}

    assert lines(config) == [
        (True, "pad_to_fixed_length is true"),
        (True, 'max_text_length is 200, and so long `batch["text"]` is along axis 1'),
        (False, "max_mel_frames is 900, but no tensor of the batches is so long in every step"),
    ]


def test_graph_mode_that_is_on_must_be_seen():
    eager = make_step(), make_step()

    assert lines({"enable_graph_mode": True}, *eager) == [
        (False, "enable_graph_mode is true, but no step was traced")
    ]


def test_without_a_file_the_trainers_own_settings_are_checked():
    assert lines(None, own={"data": {"batch_size": 0}}) == [
        (False, "batch_size is 0: expected a whole number of at least 1")
    ]
    assert lines(None) == [(None, "no --config was given")]


def test_a_setting_that_did_not_reach_the_trainer_is_named():
    assert lines({"pad_to_fixed_length": True}, own={"pad_to_fixed_length": False}) == [
        (False, "pad_to_fixed_length is true in the file, but false in the trainer")
    ]


def test_a_configuration_that_could_not_be_tried_is_checked_alone():
    found = check_configuration({"batch_size": 8}, Measurements((), "raised"), False)

    assert list(found) == [Check("configuration", True, "batch_size is 8")]


@dataclasses.dataclass
class Data:
    batch_size: int = 3
    loader: object = None
    _hidden: int = 1


@pytest.mark.parametrize(
    ("config", "settings"),
    [
        (None, None),
        ({}, None),
        ({"data": {"batch_size": 3}}, {"data": {"batch_size": 3}}),
        (Data(), {"batch_size": 3, "loader": None}),
        (types.SimpleNamespace(data=Data()), {"data": {"batch_size": 3, "loader": None}}),
        (types.SimpleNamespace(model=object(), rate=0.1), {"rate": 0.1}),
        (Data, None),
        ("config.yaml", None),
    ],
)
def test_settings_of_any_class_become_plain(config, settings):
    assert plain_settings(config) == settings


def test_settings_that_hold_themselves_end():
    loop = types.SimpleNamespace(rate=1)
    loop.again = loop

    assert plain_settings(loop)["rate"] == 1
