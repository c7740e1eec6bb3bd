"""GD406: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD406"
HEAD = "import keras\nimport tensorflow as tf\nfrom keras import ops\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            def f(x): return x
            i = keras.Input([3])
            f(i)
            """,
            id="not a graph function",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return x
            f(tf.ones([3]))
            """,
            id="a tensor",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return x
            i = keras.Input([3])
            i = 3
            f(i)
            """,
            id="rebound",
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
            def f(x): return x
            i = keras.Input([3])
            f(i)
            """,
            id="Input",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return x
            f(keras.layers.Input([3]))
            """,
            id="layers.Input, at once",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
