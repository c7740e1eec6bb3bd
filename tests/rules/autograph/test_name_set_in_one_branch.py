"""GD301: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD301"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                y = x
                if tf.reduce_sum(x) > 0:
                    y = x + 1
                return y
            """,
            id="set before",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    y = x + 1
                else:
                    y = x
                return y
            """,
            id="set in both",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    y = x + 1
                    x = y
                return x
            """,
            id="not read after",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, flag=True):
                if flag:
                    y = x
                return y
            """,
            id="a Python condition",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    y = x + 1
                else:
                    return x
                return y
            """,
            id="the other branch returns",
        ),
        pytest.param(
            """
            def f(x):
                if tf.reduce_sum(x) > 0:
                    y = x
                return y
            """,
            id="not traced",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, y):
                if tf.reduce_sum(x) > 0:
                    y = x
                return y
            """,
            id="a parameter",
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
                    y = x + 1
                return y
            """,
            id="only in the first",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    x = x + 1
                else:
                    y = x
                return y
            """,
            id="only in else",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
