"""GD327: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD327"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x, flag=True):
                if flag:
                    raise ValueError
                return x
            """,
            id="a Python condition",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                y = tf.abs(x)
                if y.shape.rank != 2:
                    raise ValueError
                return x
            """,
            id="the static shape",
        ),
        pytest.param(
            """
            def f(x):
                if tf.reduce_sum(x) > 0:
                    raise ValueError
            """,
            id="not traced",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.executing_eagerly():
                    if tf.reduce_sum(x) > 0:
                        raise ValueError
                return x
            """,
            id="only when eager",
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
                    raise ValueError('big')
                return x
            """,
            id="in the branch",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    x = x + 1
                else:
                    raise ValueError('small')
                return x
            """,
            id="in else",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
