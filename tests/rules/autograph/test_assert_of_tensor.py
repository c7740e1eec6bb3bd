"""GD329: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD329"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                y = tf.abs(x)
                assert y.shape[0] == 2
                return y
            """,
            id="the static shape",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                assert x
                return x
            """,
            id="unknown",
        ),
        pytest.param(
            """
            def f(x):
                assert tf.reduce_all(x)
            """,
            id="not traced",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, y=None):
                assert y is None or tf.reduce_all(x)
                return x
            """,
            id="is None or a tensor",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                tf.debugging.assert_positive(x)
                return x
            """,
            id="tf.debugging",
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(HEAD + cleandoc(program), RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                assert tf.reduce_sum(x) > 0
                return x
            """,
            id="comparison",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                assert tf.reduce_all(x > 0), 'negative'
                return x
            """,
            id="with a message",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
