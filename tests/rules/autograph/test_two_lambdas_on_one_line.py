"""GD325: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD325"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("f = tf.function(lambda x: x if tf.abs(x) > 0 else -x)", id="one"),
        pytest.param("f, g = tf.function(lambda x: x + 1), tf.function(lambda x: x - 1)", id="no condition"),
        pytest.param(
            "f, g = tf.function(lambda x: x if tf.abs(x) > 0 else -x), (lambda y, z: y)",
            id="other parameters",
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(HEAD + cleandoc(program), RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("f, g = tf.function(lambda x: x if tf.abs(x) > 0 else -x), (lambda x: x)", id="two"),
        pytest.param(
            "ds = tf.data.Dataset.range(3).map(lambda x: x if tf.abs(x) > 0 else -x).filter(lambda x: True)",
            id="in Dataset.map",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
