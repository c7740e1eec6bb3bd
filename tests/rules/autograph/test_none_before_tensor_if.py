"""GD302: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD302"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                y = tf.zeros_like(x)
                if tf.reduce_sum(x) > 0:
                    y = tf.abs(x)
                return y
            """,
            id="a tensor before",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                y = None
                if tf.reduce_sum(x) > 0:
                    y = tf.abs(x)
                else:
                    y = tf.square(x)
                return y
            """,
            id="set in both",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                y = None
                if tf.reduce_sum(x) > 0:
                    y = tf.abs(x)
                    x = y
                return x
            """,
            id="not read after",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, flag):
                y = None
                if flag is None:
                    y = tf.abs(x)
                return y
            """,
            id="a Python condition",
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
                y = None
                if tf.reduce_sum(x) > 0:
                    y = tf.abs(x)
                return y
            """,
            id="None before",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    y = tf.abs(x)
                else:
                    y = None
                return y
            """,
            id="None in else",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
