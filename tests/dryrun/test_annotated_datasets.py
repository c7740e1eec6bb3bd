"""A parameter that its annotation calls a dataset: what is given to its `map` is traced."""

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.source import parse_module

HEAD = "import tensorflow as tf\n\n\ndef text(example):\n    return tf.strings.lower(example).numpy()\n\n\n"


def findings(program: str) -> list[str]:
    """The rules that speak."""
    return [each.rule for each in check_module(parse_module("program.py", HEAD + program), Config())]


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("def load(data):\n    return data.map(text)\n", id="nobody knows what it is"),
        pytest.param("def load(data: list):\n    return list(map(text, data))\n", id="a list"),
        pytest.param(
            "def load(data: tf.data.Dataset):\n    return [text(each) for each in data]\n", id="gone through"
        ),
        pytest.param(
            "def load(data: tf.data.Dataset):\n    return data.map(lambda x: x['image'] / 255)\n", id="right"
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert findings(program) == []


def test_must_fire() -> None:
    assert findings("def load(data: tf.data.Dataset):\n    return data.map(text)\n") == ["GD801"]
