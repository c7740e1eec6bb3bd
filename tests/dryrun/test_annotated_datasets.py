"""A parameter that its annotation calls a dataset: what is given to its `map` is traced."""

import pytest
from tests.checking import recorded

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.recording.format import Looked
from graphdoctor.source import parse_module

HEAD = "import tensorflow as tf\n\n\ndef text(example):\n    return tf.strings.lower(example).numpy()\n\n\n"


def findings(program: str) -> list[str]:
    """The rules that speak."""
    return [each.rule for each in check_module(parse_module("program.py", HEAD + program), Config())]


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("def load(pool, data):\n    return pool.map(text, data)\n", id="two arguments"),
        pytest.param(
            "import pandas as pd\ndef load(data):\n    return data.map(text)\n", id="a table, perhaps"
        ),
        pytest.param(
            "from datasets import load_dataset\nload_dataset('x').map(text)\n", id="another library's"
        ),
        pytest.param(
            "def load(data):\n    return data.map(lambda x: x['image'] / 255)\n", id="right, perhaps"
        ),
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


@pytest.mark.parametrize("method", ["map", "filter", "flat_map", "interleave"])
def test_what_may_be_a_dataset_gives_a_note(method: str) -> None:
    program = HEAD + f"def load(data):\n    return data.{method}(text)\n"
    found = check_module(parse_module("program.py", program), Config())
    assert [(each.rule, each.is_shown) for each in found] == [("GD801", False)]


def test_what_is_not_followed_is_named() -> None:
    recording = recorded(
        "import pandas as pd\nimport tensorflow as tf\n"
        "def load(data):\n    return data.map(lambda x: tf.strings.lower(x))\n"
    )
    looked = [each for each in recording.events if isinstance(each, Looked)]
    assert {each.function.name: each.skipped for each in looked} == {
        "load": "",
        "load.<lambda>": "given to what nobody knows",
    }
