"""GD801: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD801"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("def f(x): return tf.abs(x).numpy()", id="not traced"),
        pytest.param(
            """
            @tf.function
            def f(x): return x
            f(tf.ones([2])).numpy()
            """,
            id="outside",
        ),
        pytest.param(
            """
            @tf.function
            def f(self, x): return self.scale.numpy() * x
            """,
            id="unknown",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                y = tf.abs(x)
                if hasattr(y, 'numpy'):
                    y.numpy()
                if tf.executing_eagerly():
                    y.numpy()
                return y
            """,
            id="only when eager",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return tf.py_function(lambda v: tf.abs(v).numpy(), [x], tf.float32)
            """,
            id="in py_function",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                y = tf.abs(x)
                try:
                    return y.numpy()
                except AttributeError:
                    return y
            """,
            id="caught",
        ),
        pytest.param(
            """
            import numpy as np
            import tensorflow as tf
            @tf.function
            def f(x):
                a = np.zeros(3)
                return x + a.tolist()[0]
            """,
            id="an array",
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
            def f(x): return tf.abs(x).numpy()
            """,
            id="a tensor",
        ),
        pytest.param(
            """
            v = tf.Variable(1.0)
            @tf.function
            def f(x): return x + v.numpy()
            """,
            id="a Variable",
        ),
        pytest.param("ds = tf.data.Dataset.range(3).map(lambda x: x.numpy())", id="in Dataset.map"),
        pytest.param(
            """
            @tf.function
            def f(x): return x.numpy()
            """,
            id="an argument, a note",
        ),
        pytest.param(
            """
            import keras
            class L(keras.layers.Layer):
                def call(self, x): return x.numpy()
            """,
            id="in a layer",
        ),
        pytest.param(
            """
            def g(y): return y.numpy()
            @tf.function
            def f(x): return g(tf.abs(x))
            """,
            id="in a helper",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
