"""GD401: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD401"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            v = tf.Variable(1.0)
            @tf.function
            def f(x): return x + v
            """,
            id="outside",
        ),
        pytest.param(
            """
            class M:
                v = None
                @tf.function
                def f(self, x):
                    if self.v is None:
                        self.v = tf.Variable(1.0)
                    return x + self.v
            """,
            id="guarded",
        ),
        pytest.param(
            """
            class M:
                @tf.function
                def f(self, x):
                    if self.built:
                        return x
                    self.v = tf.Variable(1.0)
                    return x
            """,
            id="guarded by a return",
        ),
        pytest.param(
            """
            def make(): return tf.Variable(1.0)
            class M:
                v = None
                @tf.function
                def f(self, x):
                    if self.v is None:
                        self.v = make()
                    return x
            """,
            id="a guarded call",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                with tf.init_scope():
                    v = tf.Variable(1.0)
                return x
            """,
            id="init_scope",
        ),
        pytest.param(
            """
            import keras
            class L(keras.layers.Layer):
                def build(self, shape):
                    self.v = tf.Variable(1.0)
                def call(self, x): return x + self.v
            """,
            id="in build",
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
            def f(x): return x + tf.Variable(1.0)
            """,
            id="plain",
        ),
        pytest.param(
            """
            def make(): return tf.Variable(1.0)
            @tf.function
            def f(x): return x + make()
            """,
            id="in a helper",
        ),
        pytest.param(
            """
            import keras
            class L(keras.layers.Layer):
                def call(self, x): return x + tf.Variable(1.0)
            """,
            id="in call",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
