"""The way to a failure names each step once, however often TensorFlow and Keras raise it again."""
# ruff: noqa: E501

import pytest
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

HEAD = "import tensorflow as tf\n"
LAYER = (
    HEAD
    + "class Inner(tf.keras.layers.Layer):\n  def call(self, x):\n    return self.helped(x)\n  def helped(self, x):\n"
    "    return x * {}['rate']\nclass Outer(tf.keras.Model):\n  def __init__(self):\n    super().__init__()\n"
    "    self.inner = Inner()\n  def call(self, x):\n    return self.inner(x)\nmodel = Outer()\n"
)

# name: program, the rule, the lines that lead to the failure
WAYS = {
    "a layer in a model in a graph function": (
        LAYER + "@tf.function\ndef step(x):\n  return model(x)\ndef main():\n  step(tf.ones([4, 2]))\nmain()\n",
        ("GD900", 6),
        [19, 18, 16, 12, 4],
    ),
    "a layer in a model that predicts": (
        LAYER + "model.predict(tf.ones([4, 2]), verbose=0)\n",
        ("GD900", 6),
        [14, 12, 4],
    ),
    "a helper's helper": (
        HEAD + "def inner(x):\n  return x * {}['rate']\ndef outer(x):\n  return inner(x)\n@tf.function\ndef f(x):\n"
        "  return outer(x)\nf(tf.ones([2]))\n",
        ("GD900", 3),
        [9, 8, 5],
    ),
    "a model that cannot be saved": (
        HEAD + "import tempfile\nclass Model(tf.Module):\n  pass\ndef export(model):\n"
        "  tf.saved_model.save(model, tempfile.mkdtemp(), signatures=[])\ndef main():\n  export(Model())\nmain()\n",
        ("GD900", 6),
        [9, 8],
    ),
    "a recursion that a tensor ends": (
        HEAD + "def product(n):\n  if n > 1:\n    return n * product(n - 1)\n  return 1\nrun = tf.function(lambda n: product(n))\n"
        "run(tf.constant(4))\n",
        ("GD408", 4),
        [7, 6],
    ),
    "such a recursion below another function": (
        HEAD + "def depth(n):\n  if tf.reduce_any(n > 0):\n    return depth(n - 1) + 1\n  return tf.constant(0)\n"
        "def both(n):\n  return depth(n) * 2\n@tf.function\ndef f(n):\n  return both(n)\nf(tf.constant([1, 2]))\n",
        ("GD408", 4),
        [11, 10, 7],
    ),
    "a recursion without an end": (
        HEAD + "def deep(x, names):\n  return deep(x + 1.0, names)\n@tf.function\ndef f(x):\n  return deep(x, [])\nf(tf.ones([2]))\n",
        ("GD900", 3),
        [7, 6, 3],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WAYS)
def test_each_step_is_reported_once(name: str, tensorflow: TensorFlowServer) -> None:
    program, expected, way = WAYS[name]
    found = tensorflow.run(program).report.findings
    assert [(finding.rule, finding.line) for finding in found] == [expected]
    assert [step.line for step in found[0].reached if step.path == found[0].path] == way
