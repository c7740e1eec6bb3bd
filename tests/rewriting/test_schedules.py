"""An `if` on the step of a learning rate schedule: both ways, chosen by `tf.where`."""

import pytest
from tests.checking import changed_lines, check

RULE = "GD701"
HEAD = "import keras\nfrom keras import ops\nimport numpy as np\n"
USE = (
    "model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])\n"
    "model.compile(keras.optimizers.SGD(Rate()), 'mse')\n"
    "model.fit(np.ones((8, 2), 'float32'), np.ones((8, 1), 'float32'))\n"
)


def schedule(body: str, base: str = "keras.optimizers.schedules.LearningRateSchedule") -> str:
    """A schedule with this body, and a model that is trained with it."""
    call = "  def __call__(self, step):\n    step = ops.cast(step, 'float32')\n"
    return f"{HEAD}class Rate({base}):\n{call}{body}{USE}"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "    if step < 9:\n      r = step\n      self.n = 1\n    else: r = 0.5\n    return r\n",
            id="more",
        ),
        pytest.param("    r = 0.1\n    if step < 9:\n      r = step * 2.0\n    return r\n", id="one way"),
        pytest.param("    if step < 9: r = step\n    else: q = step\n    return 0.1\n", id="two names"),
        pytest.param("    if 3 < step < 9:\n      return step\n    return 0.1\n", id="two comparisons"),
        pytest.param("    if step < 9 and not self.name:\n      return step\n    return 0.1\n", id="and"),
        pytest.param("    if step < 9:\n      return 1\n    return step * 0.1\n", id="a whole number"),
        pytest.param(
            "    if step < 9:\n      return step\n    step += 1.0\n    return step\n", id="it goes on"
        ),
    ],
)
def test_left_alone(body: str) -> None:
    [finding, *_] = check(schedule(body), RULE)
    assert finding.fix is not None
    assert (finding.fix.title, finding.fix.edits) == ("Choose by `tf.where`", ())


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            "    if step < 9:\n      r = step * 0.1\n    else:\n      r = 0.9\n    return r\n",
            "r = tf.where(step < 9, step * 0.1, 0.9)",
            id="a name",
        ),
        pytest.param(
            "    if step < 9:\n      return step * 0.1\n    return 0.9\n",
            "return tf.where(step < 9, step * 0.1, 0.9)",
            id="the rest of the function",
        ),
        pytest.param(
            "    if step < 9: return step\n    elif step < 20: return 0.9\n    else: return 0.1\n",
            "return tf.where(step < 9, step, tf.where(step < 20, 0.9, 0.1))",
            id="several",
        ),
    ],
)
def test_chosen_by_where(body: str, expected: str) -> None:
    assert changed_lines(schedule(body), RULE) == ["import tensorflow as tf", expected]


def test_a_schedule_by_a_class_of_the_project() -> None:
    body = "    if step < 9:\n      return step * 0.1\n    return 0.9\n"
    own = "from keras.optimizers import schedules as s\nclass Base(s.LearningRateSchedule): pass\n"
    program = schedule(body, "Base").replace(HEAD, HEAD + own)
    assert changed_lines(program, RULE)[-1] == "return tf.where(step < 9, step * 0.1, 0.9)"


def test_a_layer_becomes_a_graph_function_also_where_tensorflow_is_not_imported() -> None:
    layer = (
        "class L(keras.layers.Layer):\n  def call(self, x):\n    if ops.sum(x) > 0: x += 1\n    return x\n"
    )
    assert changed_lines(HEAD + layer, RULE) == ["import tensorflow as tf", "@tf.function"]
