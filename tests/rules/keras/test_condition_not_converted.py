"""GD701: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import changed_lines, check

from graphdoctor.model import Fix, Safety

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
        ("{'mse': mse, 'dice': Dice()}[sys.argv[1]]", "ERROR"),
        ("{'mse': 'mse', 'dice': Dice()}[sys.argv[1]]", "ERROR"),
        ("functools.partial(Dice())", "ERROR"),
    ],
)
def test_losses_that_are_objects_or_one_of_several(loss: str, severity: str) -> None:
    found = check("import functools\n" + HEAD + cleandoc(LOSSES.replace("{loss}", loss)), RULE)
    assert [finding.severity.name for finding in found] == [severity]


GATE = """
class Gate(keras.layers.Layer):
    def call(self, x):
        if ops.sum(x) > 1.0:
            x = x / 2.0
        return x
"""
CHOSEN = "x = ops.cond(ops.sum(x) > 1.0, lambda: x / 2.0, lambda: x)"


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        ("import keras\nfrom keras import ops", ["import tensorflow as tf", "@tf.function"]),
        ("import keras\nimport tensorflow\nfrom keras import ops", ["@tensorflow.function"]),
        ("import keras\nfrom keras import ops\ntf = None", [CHOSEN]),
    ],
    ids=["Keras alone", "by another name", "another tf"],
)
def test_a_decorator_brings_its_import(imports: str, expected: list[str]) -> None:
    assert changed_lines(imports + GATE, RULE) == expected


def test_another_way_is_to_choose() -> None:
    assert changed_lines("import keras\nfrom keras import ops" + GATE, RULE, 1) == [CHOSEN]


def test_a_variable_of_keras_is_no_argument_of_a_graph_function() -> None:
    schedule = "class Rate(keras.optimizers.schedules.LearningRateSchedule):\n    def __call__(self, step):\n"
    program = (
        f"import keras\nfrom keras import ops\nimport tensorflow as tf\n{schedule}"
        "        if step < 9:\n            print(step)\n        return 0.1\n"
        "model = keras.Sequential([keras.layers.Dense(1)])\n"
        "model.compile(keras.optimizers.SGD(Rate()), 'mse')\n"
        "model.fit(tf.ones([4, 2]), tf.ones([4, 1]))"
    )
    (finding,) = check(program, RULE)
    assert finding.fix == Fix(title="Choose with `keras.ops.cond`", safety=Safety.MANUAL)
    assert finding.alternatives == ()
