"""GD905: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD905"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("tf.config.run_functions_eagerly(False)", id="off"),
        pytest.param(
            """
            tf.config.run_functions_eagerly(True)
            debug()
            tf.config.run_functions_eagerly(False)
            """,
            id="on and off again",
        ),
        pytest.param("tf.config.run_functions_eagerly(settings.debug)", id="a setting"),
        pytest.param("model.compile(run_eagerly=False)", id="compile without"),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(HEAD + cleandoc(program), RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("tf.config.run_functions_eagerly(True)", id="switched on"),
        pytest.param("model.compile('adam', run_eagerly=True)", id="compile"),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
