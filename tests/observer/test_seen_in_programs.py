"""What was seen in programs and once passed without a word: each in three programs that are not alike."""
# ruff: noqa: E501

import pytest
from tests.running import TensorFlowServer

from graphdoctor.model import Evidence

pytestmark = pytest.mark.tensorflow

HEAD = "import tensorflow as tf\nlayers, optimizers = tf.keras.layers, tf.keras.optimizers\n"
MAKE = "def make(): return tf.keras.Sequential([layers.Input([3]), layers.Dense(2)])\n"
STEP = (
    "def step(model, x):\n  with tf.GradientTape() as tape:\n    loss = tf.reduce_mean(model(x) ** 2)\n"
    "  variables = model.trainable_variables\n  opt.apply_gradients(zip(tape.gradient(loss, variables), variables))\n"
)
# name: program, rule, line
REPORTED = {
    "a graph function per instance, in a loop of instances": (
        "class Fold:\n  def __init__(self, seed):\n    self.w = tf.Variable(float(seed))\n    self.run = tf.function(self.go)\n"
        "  def go(self, x):\n    return x * self.w\nfor seed in range(8):\n  Fold(seed).run(tf.ones([2]))\n",
        "GD102", 6,
    ),
    "a graph function per instance, made by a factory": (
        "def build(scale):\n  def f(x):\n    return x * scale\n  return tf.function(f)\ndef score(scale):\n"
        "  return build(scale)(tf.ones([2]))\nfor n in range(8):\n  score(float(n))\n",
        "GD102", 6,
    ),
    "a graph function per instance, by a decorator in a method": (
        "class Trial:\n  def fit(self):\n    @tf.function\n    def inner(x):\n      return tf.sin(x)\n    return inner(tf.ones([2]))\n"
        "print([float(Trial().fit()[0]) for _ in range(8)])\n",
        "GD102", 5,
    ),
    "two dtypes in turn, of arrays": (
        "import numpy as np\n@tf.function\ndef f(x):\n  return tf.reduce_sum(x)\nfor n in range(20):\n"
        "  f(np.ones(3) if n % 2 else np.ones(3, 'float32'))\n",
        "GD111", 8,
    ),
    "two dtypes in turn, of a helper's": (
        "@tf.function\ndef f(x):\n  return x + 1\ndef batches():\n  for n in range(20):\n"
        "    yield tf.cast(tf.ones([2]), tf.int32 if n % 2 else tf.int64)\nfor x in batches():\n  f(x)\n",
        "GD111", 10,
    ),
    "two dtypes in turn, in a dict": (
        "@tf.function\ndef f(batch):\n  return tf.cast(batch['x'], tf.float32)\nfor n in range(20):\n"
        "  f({'x': tf.zeros([2], tf.float16 if n % 2 else tf.float32)})\n",
        "GD111", 7,
    ),
    "an optimizer for a second model, in a graph function": (
        MAKE + "opt = optimizers.Adam()\n" + STEP + "for _ in range(2):\n  tf.function(step)(make(), tf.ones([4, 3]))\n",
        "GD403", 4,
    ),
    "an optimizer for a second model, eagerly": (
        MAKE + "class Trainer:\n  opt = optimizers.Adam()\nopt = Trainer.opt\n" + STEP
        + "step(make(), tf.ones([4, 3]))\nstep(make(), tf.ones([4, 3]))\n",
        "GD403", 11,
    ),
    "an optimizer for a second model, compiled": (
        MAKE + "opt = optimizers.Adam()\nfor _ in range(2):\n  model = make()\n  model.compile(opt, 'mse')\n"
        "  model.fit(tf.ones([4, 3]), tf.ones([4, 2]), verbose=0)\n",
        "GD403", 4,
    ),
    "a variable that a tensor replaces, on an instance": (
        "class M:\n  def __init__(self): self.w = tf.Variable([1.0])\nm = M()\nfor _ in range(2):\n"
        "  with tf.GradientTape() as tape:\n    y = m.w * 2.0\n  g = tape.gradient(y, m.w)\n  m.w = m.w - 0.1 * g\n",
        "GD506", 10,
    ),
    "a variable that a tensor replaces, by name": (
        "w = tf.Variable([1.0])\nfor _ in range(2):\n  with tf.GradientTape() as tape:\n    y = w * w\n"
        "  g = tape.gradient(y, w)\n  w = w - 0.1 * g\n",
        "GD506", 8,
    ),
    "a variable that a tensor replaces, in a list": (
        "ws = [tf.Variable([1.0]), tf.Variable([2.0])]\nfor _ in range(2):\n  with tf.GradientTape() as tape:\n"
        "    y = ws[0] * ws[1]\n  gs = tape.gradient(y, ws)\n  ws = [w - 0.1 * g for w, g in zip(ws, gs)]\n",
        "GD506", 8,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REPORTED)
def test_it_is_reported_at_its_line(name: str, tensorflow: TensorFlowServer) -> None:
    program, rule, line = REPORTED[name]
    found = tensorflow.run(HEAD + program).report.findings
    assert (rule, line) in {(f.rule, f.line) for f in found if f.evidence is not Evidence.SOURCE}
