"""GD332: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD332"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                a, b = tf.unstack(x)
                return a
            """,
            id="unstacked",
        ),
        pytest.param(
            """
            @tf.function
            def f(*parts: tf.Tensor):
                a, b = parts
                return tf.concat([*parts], axis=0)
            """,
            id="annotated star: a tuple of tensors",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                a, b = tf.split(x, 2)
                return a
            """,
            id="split gives a list",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                a, b = x
                return a
            """,
            id="unknown",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                a, b = tf.abs(x).shape
                return a
            """,
            id="the static shape",
        ),
        pytest.param(
            """
            def f(x):
                a, b = tf.shape(x)
            """,
            id="not traced",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                values, indices = tf.math.top_k(x)
                return values
            """,
            id="two results",
        ),
        pytest.param(
            """
            import keras
            class M(keras.metrics.Metric):
                def update_state(self, data):
                    a, b = data
            """,
            id="an optional structure",
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
                a, b = tf.shape(x)
                return a
            """,
            id="names",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                return tf.stack([*tf.abs(x)])
            """,
            id="star",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
