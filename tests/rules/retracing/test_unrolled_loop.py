"""GD120: must not fire, must fire."""

import pytest
from tests.checking import check, marked

RULE = "GD120"
HEAD = "import tensorflow as tf\none = tf.ones([3])\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            "@tf.function\ndef f(x):\n  for i in range(20): x = tf.sin(x) + 1.0\n  return x\nf(one)",
            id="short",
        ),
        pytest.param(
            "@tf.function\ndef f(x):\n  for i in tf.range(900): x = tf.sin(x) + 1.0\n  return x\nf(one)",
            id="in the graph",
        ),
        pytest.param("def f(x):\n  for i in range(900): x = tf.sin(x)\n  return x\nf(one)", id="not traced"),
        pytest.param(
            "layers = [tf.keras.layers.Dense(3) for _ in range(40)]\n"
            "@tf.function\ndef f(x):\n  for layer in layers: x = tf.nn.relu(layer(x))\n  return x\nf(one)",
            id="the layers of a model",
        ),
        pytest.param(
            "class Net(tf.Module):\n  def __init__(self):\n"
            "    self.weights = [tf.Variable(tf.ones([3, 3])) for _ in range(200)]\n"
            "  @tf.function\n  def f(self, x):\n"
            "    for i, w in enumerate(self.weights): x = tf.nn.relu(x @ w) + 1.0\n    return x\n"
            "Net().f(tf.ones([1, 3]))",
            id="the weights of a deep model",
        ),
        pytest.param(
            "@tf.function\ndef f(x):\n  names = []\n  for i in range(900): names.append(i)\n  return x\n"
            "f(one)",
            id="no operations",
        ),
        pytest.param(
            "@tf.function\ndef f(x, n):\n  for i in range(n): x = tf.sin(x)\n  return x\nf(one, load())",
            id="unknown length",
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert marked(HEAD + program, RULE) == []


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (
            "def grow(x):\n  for i in range(900): x = tf.sin(x) + 1.0\n  return x\n"
            "@tf.function\ndef f(x): return grow(x)\nf(one)",
            "for i in range(900)",
        ),
        (
            "@tf.function\ndef f(x):\n  rows = []\n  for i in range(x.shape[0]):\n"
            "    rows.append(tf.reduce_sum(x[i]) * 2.0)\n  return tf.stack(rows)\nf(tf.ones([256, 3]))",
            "for i in range(x.shape[0])",
        ),
        (
            "class Model:\n  steps = 300\n  def __init__(self): self.f = tf.function(self.run)\n"
            "  def run(self, x):\n    for t in range(self.steps): x = x * 0.9 + 0.1\n    return x\n"
            "Model().f(one)",
            "for t in range(self.steps)",
        ),
    ],
)
def test_must_fire(program: str, expected: str) -> None:
    assert marked(HEAD + program, RULE) == [expected]


def test_the_message_tells_iterations_and_operations() -> None:
    program = "@tf.function\ndef f(x):\n  for i in range(900): x = tf.sin(x) + 1.0\n  return x\nf(one)"
    (finding,) = check(HEAD + program, RULE)
    assert finding.message == (
        "Python loop unrolled into the graph of `f`: 900 iterations, about 2,700 operations"
    )
