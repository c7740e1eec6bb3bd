"""GD317: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD317"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(n):
                for i in tf.range(n):
                    pass
                return n
            """,
            id="after the loop",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                for i in range(3):
                    return x
            """,
            id="a Python loop",
        ),
        pytest.param(
            """
            @tf.function
            def f(n):
                for i in tf.range(n):
                    g = lambda: i
                    def h():
                        return 1
                return n
            """,
            id="in a function inside",
        ),
        pytest.param(
            """
            def f(n):
                for i in tf.range(n):
                    return i
            """,
            id="not traced",
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
                for i in tf.range(n):
                    if i > 3:
                        return i
                return n
            """,
            id="for",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                while tf.reduce_sum(x) < 3:
                    return x
                return x
            """,
            id="while",
        ),
        pytest.param(
            """
            ds = tf.data.Dataset.range(3)
            @tf.function
            def f(x):
                for v in ds:
                    return v
                return x
            """,
            id="dataset",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
