"""GD314: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD314"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                for i in tf.range(3):
                    if tf.reduce_sum(x) > 5:
                        break
                return x
            """,
            id="a TensorFlow loop",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                for i in range(3):
                    if i > 1:
                        break
                return x
            """,
            id="a Python condition",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                for i in range(3):
                    if tf.reduce_sum(x) > 5:
                        continue
                    x += 1
                return x
            """,
            id="continue",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, items):
                for i in items:
                    if tf.reduce_sum(x) > 5:
                        break
                return x
            """,
            id="unknown iterable",
        ),
        pytest.param(
            """
            def f(x):
                for i in range(3):
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
                for i in range(3):
                    if tf.reduce_sum(x) > 5:
                        break
                return x
            """,
            id="range",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                for i in [1, 2]:
                    if tf.reduce_sum(x) > 5:
                        break
                return x
            """,
            id="list",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
