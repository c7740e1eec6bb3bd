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


LOSSES = """
import sys
import keras
from keras import ops
def mse(y, p):
    return tf.reduce_mean(tf.square(y - p))
class Dice:
    def __call__(self, y, p):
        total = tf.reduce_sum(y) + tf.reduce_sum(p)
        if total == 0.0:
            return total
        return 1.0 - 1.0 / total
class Plain(Dice):
    def call(self, y, p):
        return tf.reduce_mean(y - p)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", loss={loss})
model.fit(tf.zeros([4, 2]), tf.zeros([4, 1]))
"""


@pytest.mark.parametrize("loss", ["mse", "'mse'", "{'a': mse}[sys.argv[1]]", "Dice"])
def test_losses_that_are_right(loss: str) -> None:
    assert check(HEAD + cleandoc(LOSSES.replace("{loss}", loss)), RULE) == []


@pytest.mark.parametrize(
    ("loss", "severity"),
    [
        ("Dice()", "ERROR"),
        ("[Dice()]", "ERROR"),
        ("{'mse': mse, 'dice': Dice()}[sys.argv[1]]", "WRONG"),
        ("{'mse': 'mse', 'dice': Dice()}[sys.argv[1]]", "WRONG"),
        ("functools.partial(Dice())", "ERROR"),
    ],
)
def test_losses_that_are_objects_or_one_of_several(loss: str, severity: str) -> None:
    found = check("import functools\n" + HEAD + cleandoc(LOSSES.replace("{loss}", loss)), RULE)
    assert [finding.severity.name for finding in found] == [severity]
