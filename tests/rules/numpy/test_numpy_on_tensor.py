"""GD802: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD802"
HEAD = "import numpy as np\nimport tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x): return np.prod(tf.abs(x).shape)
            """,
            id="the static shape",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return np.shape(tf.abs(x)), np.ndim(tf.abs(x))
            """,
            id="np.shape and np.ndim",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return np.mean(x)
            """,
            id="unknown",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return x * np.sqrt(2.0)
            """,
            id="constants",
        ),
        pytest.param("def f(x): return np.mean(tf.abs(x))", id="not traced"),
        pytest.param(
            """
            @tf.function
            def f(x): return tf.numpy_function(lambda v: np.mean(v), [x], tf.float32)
            """,
            id="in numpy_function",
        ),
        pytest.param(
            """
            import tensorflow.experimental.numpy as np
            @tf.function
            def f(x): return np.mean(tf.abs(x))
            """,
            id="TensorFlow's own NumPy",
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
            def f(x): return np.mean(tf.abs(x))
            """,
            id="mean",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return np.maximum(0.0, tf.abs(x))
            """,
            id="second argument",
        ),
        pytest.param(
            """
            def g(x): return np.clip(tf.cast(x, tf.float32), 0, 1)
            ds = tf.data.Dataset.range(3).map(g)
            """,
            id="in Dataset.map",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
