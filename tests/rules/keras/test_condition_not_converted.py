"""GD701: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD701"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            import tf_keras as keras
            class L(keras.layers.Layer):
                def call(self, x):
                    if tf.reduce_sum(x) > 0:
                        x += 1
                    return x
            """,
            id="Keras 2",
        ),
        pytest.param(
            """
            class L(tf.keras.layers.Layer):
                def call(self, x):
                    if tf.reduce_sum(x) > 0:
                        x += 1
                    return x
            """,
            id="generation not known",
        ),
        pytest.param(
            """
            import keras
            from keras import ops
            class L(keras.layers.Layer):
                @tf.function
                def call(self, x):
                    if ops.sum(x) > 0:
                        x += 1
                    return x
            """,
            id="decorated",
        ),
        pytest.param(
            """
            import keras
            from keras import ops
            class L(keras.layers.Layer):
                def call(self, x, training=None):
                    if training:
                        x = ops.abs(x)
                    if x is None or len(x.shape) == 3:
                        x = ops.abs(x)
                    return x
            """,
            id="a Python condition",
        ),
        pytest.param(
            """
            import keras
            from keras import ops
            class L(keras.layers.Layer):
                def call(self, inputs):
                    return ops.sum([ops.abs(v) for v in inputs])
            """,
            id="a list of inputs",
        ),
        pytest.param(
            """
            from keras import ops
            class L:
                def call(self, x):
                    if ops.sum(x) > 0:
                        x += 1
                    return x
            """,
            id="not a Keras class",
        ),
        pytest.param(
            """
            import keras
            from keras import ops
            class M(keras.Model):
                def train_step(self, data): return {}
                def call(self, x):
                    if ops.sum(x) > 0:
                        x += 1
                    return x
            """,
            id="a model that trains without call",
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
            import keras
            from keras import ops
            class L(keras.layers.Layer):
                def call(self, x):
                    if ops.sum(x) > 0:
                        x += 1
                    return x
            """,
            id="call",
        ),
        pytest.param(
            """
            import keras
            from keras import ops
            class M(keras.Model):
                def train_step(self, data):
                    while ops.sum(data[0]) > 0:
                        pass
                    return {}
            """,
            id="train_step",
        ),
        pytest.param(
            """
            import keras
            from keras import ops
            def g(x):
                return x if ops.sum(x) > 0 else -x
            class L(keras.layers.Layer):
                def call(self, x): return g(x)
            """,
            id="a helper",
        ),
        pytest.param(
            """
            import keras
            from keras import ops
            class L(keras.losses.Loss):
                def call(self, y_true, y_pred):
                    if y_true > y_pred:
                        return y_true
                    return y_pred
            """,
            id="a loss",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
