"""GD304: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD304"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    y = 1.0
                else:
                    y = 0.5
                return y
            """,
            id="both float",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    y = 1
                else:
                    y = 0.5
                return x
            """,
            id="not read after",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    y = x
                else:
                    y = 0.5
                return y
            """,
            id="unknown dtype",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, flag=True):
                if flag:
                    y = 1
                else:
                    y = 0.5
                return x * y
            """,
            id="a Python condition",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    y = 1
                    return x
                else:
                    y = 0.5
                return x * y
            """,
            id="the branch returns",
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
                if tf.reduce_sum(x) > 0:
                    y = 1
                else:
                    y = 0.5
                return y
            """,
            id="literals",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    y = tf.constant(1)
                else:
                    y = tf.zeros([2])
                return y
            """,
            id="tensors",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                y = 0
                if tf.reduce_sum(x) > 0:
                    y = tf.zeros([])
                return y
            """,
            id="with the value before",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
