"""GD315: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD315"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                n = 0
                while True:
                    n += 1
                    if n > 3:
                        break
                return x
            """,
            id="a Python condition",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                while tf.constant(True):
                    x += 1
                    if tf.reduce_sum(x) > 5:
                        break
                return x
            """,
            id="already a tensor",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                while True:
                    for i in tf.range(3):
                        if tf.reduce_sum(x) > 5:
                            break
                    break
                return x
            """,
            id="the break belongs to an inner loop",
        ),
        pytest.param(
            """
            def f(x):
                while True:
                    if tf.reduce_sum(x) > 5:
                        break
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
            def f(x):
                while True:
                    x += 1
                    if tf.reduce_sum(x) > 5:
                        break
                return x
            """,
            id="True",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                while 1:
                    x += 1
                    if tf.reduce_sum(x) > 5:
                        break
                return x
            """,
            id="1",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
