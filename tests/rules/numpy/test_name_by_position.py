"""GD805: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD805"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x): return tf.sqrt(x, 'root')
            """,
            id="a name",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, name): return tf.sqrt(x, name)
            """,
            id="a name in a variable",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return tf.cast(x, tf.float32)
            """,
            id="dtype where it belongs",
        ),
        pytest.param("def f(x): return tf.sqrt(x, tf.float32)", id="not traced"),
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
            def f(x): return tf.sqrt(x, tf.float32)
            """,
            id="dtype",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return tf.abs(x, tf.square(x))
            """,
            id="tensor",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
