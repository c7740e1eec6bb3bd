"""A run tells what kept functions and models out of graphs, and where that was switched on."""
# ruff: noqa: E501

import pytest
from tests.running import TensorFlowServer

from graphdoctor.model import Evidence

pytestmark = pytest.mark.tensorflow

HEAD = "import functools\nimport tensorflow as tf\n"
FUNCTION = "@tf.function\ndef f(x):\n  return x * 2.0\nfor _ in range(5):\n  f(tf.ones([2]))\n"
MODEL = "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
FIT = "model.fit(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0)\n"

EAGER = {
    "the switch": ("tf.config.run_functions_eagerly(True)\n" + FUNCTION, 3),
    "the switch, through a setting": (
        "def configure(settings):\n  for name, value in settings.items():\n    getattr(tf.config, name)(value)\n"
        "configure({'run_functions_eagerly': True})\n" + FUNCTION,
        5,
    ),
    "the switch, which TensorFlow sets back for a moment": (
        "tf.config.run_functions_eagerly(True)\ntf.vectorized_map(lambda x: x * x, tf.ones([3]))\n" + FUNCTION,
        3,
    ),
    "a compiled model": (MODEL + "model.compile('sgd', 'mse', run_eagerly=True)\n" + FIT, 4),
    "a compiled model, through options": (
        MODEL + "options = dict(optimizer='sgd', loss='mse')\noptions['run_' + 'eagerly'] = True\n"
        "model.compile(**options)\n" + FIT,
        6,
    ),
}  # fmt: skip

GRAPH = {
    "switched off again": "tf.config.run_functions_eagerly(True)\ntf.config.run_functions_eagerly(False)\n" + FUNCTION,
    "switched off again, before a map": "tf.config.run_functions_eagerly(True)\n"
    "tf.config.run_functions_eagerly(False)\ntf.vectorized_map(lambda x: x * x, tf.ones([3]))\n" + FUNCTION,
    "a model that is not eager": MODEL + "model.compile('sgd', 'mse', run_eagerly=False)\n" + FIT,
    "nothing at all": FUNCTION + MODEL + "model.compile('sgd', 'mse')\n" + FIT,
}  # fmt: skip


@pytest.mark.parametrize("name", EAGER)
def test_the_switch_is_told_where_it_stands(name: str, tensorflow: TensorFlowServer) -> None:
    program, line = EAGER[name]
    found = [f for f in tensorflow.run(HEAD + program).report.findings if f.rule == "GD905"]
    assert [finding.line for finding in found] == [line]
    assert found[0].evidence is not Evidence.SOURCE


@pytest.mark.parametrize("name", GRAPH)
def test_what_ran_as_a_graph_is_left_alone(name: str, tensorflow: TensorFlowServer) -> None:
    found = tensorflow.run(HEAD + GRAPH[name]).report.findings
    assert [finding for finding in found if finding.rule == "GD905"] == []
