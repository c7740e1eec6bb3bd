"""GD334: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD334"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                items = [1, 2]
                return items[0]
            """,
            id="a number",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                items = [1, 2]
                return items[:1]
            """,
            id="a slice",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                return tf.abs(x)[tf.argmax(x)]
            """,
            id="a tensor indexed",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, items):
                return items[tf.argmax(x)]
            """,
            id="unknown",
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
                items = [1, 2]
                return items[tf.argmax(x)]
            """,
            id="list",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                items = (1, 2)
                return items[tf.reduce_max(x)]
            """,
            id="tuple",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
