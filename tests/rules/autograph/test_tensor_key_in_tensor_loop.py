"""GD310: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD310"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(n):
                d = {}
                for i in tf.range(n):
                    d['a'] = i
                return d
            """,
            id="a constant key",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                d = {}
                for i in range(3):
                    d[i] = x
                return d
            """,
            id="a Python key",
        ),
        pytest.param(
            """
            @tf.function
            def f(n):
                d = tf.range(9)
                return d[tf.abs(n)]
            """,
            id="a tensor, not a dict",
        ),
        pytest.param(
            """
            @tf.function
            def f(d, n):
                return d[tf.abs(n)]
            """,
            id="unknown container",
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
                d = {}
                for i in tf.range(n):
                    d[i] = i
                return d
            """,
            id="store",
        ),
        pytest.param(
            """
            @tf.function
            def f(n):
                d = {1: 2}
                return d[tf.abs(n)]
            """,
            id="load",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
