"""GD306: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD306"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(n):
                s = 0.0
                for i in tf.range(n):
                    s += tf.zeros([])
                return s
            """,
            id="starts as a float",
        ),
        pytest.param(
            """
            @tf.function
            def f(n):
                s = 0
                for i in tf.range(n):
                    s += i
                return s
            """,
            id="integers stay integers",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                s = 0
                for i in range(3):
                    s += tf.zeros([])
                return s
            """,
            id="a Python loop",
        ),
        pytest.param(
            """
            @tf.function
            def f(n, x):
                s = 0
                for i in tf.range(n):
                    s += x
                return s
            """,
            id="unknown dtype",
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
            def f(n):
                s = 0
                for i in tf.range(n):
                    s += tf.zeros([])
                return s
            """,
            id="update",
        ),
        pytest.param(
            """
            @tf.function
            def f(n):
                s = 0
                for i in tf.range(n):
                    s = s + tf.cast(i, tf.float32)
                return s
            """,
            id="sum",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
