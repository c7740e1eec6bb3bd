"""GD330: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD330"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x): return [v for v in tf.unstack(x)]
            """,
            id="unstacked",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return [v for v in x]
            """,
            id="unknown",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return [x + i for i in range(3)]
            """,
            id="range",
        ),
        pytest.param("def f(x): return [v for v in tf.abs(x)]", id="not traced"),
        pytest.param(
            """
            import keras
            class L(keras.layers.Layer):
                def call(self, inputs): return [tf.abs(v) for v in inputs]
            """,
            id="inputs of a layer may be a list",
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
            def f(x): return [v for v in tf.abs(x)]
            """,
            id="list",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return sum(v for v in tf.abs(x))
            """,
            id="generator",
        ),
        pytest.param(
            """
            @tf.function
            def f(n): return [i for i in tf.range(n)]
            """,
            id="tf.range",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
