"""A Python loop is charged for what its body calls, in helpers, layers and other files; others are not."""

import pytest
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

HEAD = "import tensorflow as tf\nimport numpy as np\n"

UNROLLED = {
    "a body that calls a helper": (
        "def energy(p, q):\n  d = p - q\n  return tf.reduce_sum(d * d) + tf.sin(d[0])\n"
        "@tf.function\ndef total(points):\n  out = 0.0\n  for p, q in zip(points, points[1:]):\n"
        "    out = out + energy(p, q)\n  return out\ntotal([tf.ones([3])] * 70)",
        9,
    ),
    "time steps in a layer, in a loop of epochs": (
        "class Cell(tf.keras.layers.Layer):\n  def __init__(self):\n    super().__init__()\n"
        "    self.dense = tf.keras.layers.Dense(4)\n  def call(self, x):\n    h = tf.zeros_like(x[:, 0])\n"
        "    for t in range(x.shape[1]):\n      h = self.step(x[:, t], h)\n    return h\n"
        "  def step(self, x, h):\n    z = tf.tanh(self.dense(x) + h)\n    return z * 0.5 + h * 0.5\n"
        "model = tf.keras.Sequential([tf.keras.Input([60, 4]), Cell(), tf.keras.layers.Dense(1)])\n"
        "model.compile('sgd', 'mse')\nfor epoch in range(2):\n"
        "  model.fit(tf.ones([8, 60, 4]), tf.ones([8, 1]), verbose=0)",
        9,
    ),
    "a `while`, whose body is in another file": (
        "import pathlib, sys\nsys.path.insert(0, '.')\n"
        "pathlib.Path('helpers.py').write_text('import tensorflow as tf\\ndef bent(x):\\n'\n"
        "  '  y = tf.sin(x) + 1.0\\n  return tf.cos(y) * 0.5 - x\\n')\nimport helpers\n"
        "@tf.function\ndef far(x):\n  i = 0\n  while i < 99:\n    x = helpers.bent(x)\n"
        "    i += 1\n  return x\n"
        "far(tf.ones([2]))",
        11,
    ),
    "an array of NumPy's": (
        "@tf.function\ndef mixed(x):\n  for weight in np.linspace(0.0, 1.0, 90, dtype='float32'):\n"
        "    x = tf.sin(x) * weight\n    x = x + tf.cos(x) * 2.0\n  return x\nmixed(tf.ones([2]))",
        5,
    ),
    "time steps under a tape, whose gradient makes more than they do": (
        "w = tf.Variable(tf.ones([3, 4]))\n@tf.function\ndef step(x):\n  with tf.GradientTape() as tape:\n"
        "    h = c = tf.zeros([2, 4])\n    for t in range(x.shape[1]):\n"
        "      i, f = tf.split(tf.concat([x[:, t], h], 1), 2, axis=1)\n"
        "      c = tf.sigmoid(f + w[0] * c) * c + tf.sigmoid(i + w[1] * c)\n"
        "      h = tf.sigmoid(h + w[2] * c) * tf.tanh(c)\n    loss = tf.reduce_sum(h)\n"
        "  return tape.gradient(loss, w)\nstep(tf.ones([2, 60, 4]))",
        8,
    ),
    "steps of descent, each with a gradient of its own": (
        "@tf.function\ndef descend(x):\n  for item in range(40):\n    with tf.GradientTape() as tape:\n"
        "      tape.watch(x)\n      loss = tf.reduce_sum(tf.sin(x) * tf.cos(x) + tf.exp(x))\n"
        "    x = x - 0.1 * tape.gradient(loss, x)\n  return x\ndescend(tf.ones([3]))",
        5,
    ),
    "`functools.reduce`": (
        "import functools\nw = tf.Variable(tf.eye(4))\ndef cell(h, x):\n  z = tf.tanh(h @ w + x)\n"
        "  return z * 0.5 + h * 0.5\n@tf.function\ndef roll(x):\n"
        "  return functools.reduce(cell, tf.unstack(x), tf.zeros([1, 4]))\nroll(tf.ones([80, 1, 4]))",
        10,
    ),
    "`map`, under a tape": (
        "w = tf.Variable(tf.ones([4]))\ndef energy(x):\n  y = tf.sin(x * w)\n"
        "  return tf.reduce_sum(y * y)\n@tf.function\ndef step(x):\n  with tf.GradientTape() as tape:\n"
        "    loss = sum(map(energy, tf.unstack(x)))\n  return tape.gradient(loss, w)\nstep(tf.ones([80, 4]))",
        10,
    ),
    "a function that calls itself": (
        "def smooth(x, depth):\n  if depth == 0:\n    return x\n  y = tf.sin(x) * 0.5\n"
        "  y = y + tf.cos(x) * 0.5\n  return smooth(y, depth - 1)\n@tf.function\ndef solve(x):\n"
        "  return smooth(x, 90)\nsolve(tf.ones([4]))",
        11,
    ),
    "a layer that unrolls": (
        "model = tf.keras.Sequential([tf.keras.Input([60, 2]), tf.keras.layers.SimpleRNN(2, unroll=True)])\n"
        "model.compile('sgd', 'mse')\n"
        "model.fit(tf.ones([4, 60, 2]), tf.ones([4, 2]), verbose=0)",
        5,
    ),
}  # fmt: skip

OTHERS = {
    "a loop of calls of `fit`": (
        "model = tf.keras.Sequential([tf.keras.Input([4])] + [tf.keras.layers.Dense(4) for _ in range(25)])\n"
        "model.compile('adam', 'mse')\nfor epoch in range(20):\n"
        "  model.fit(tf.ones([8, 4]), tf.ones([8, 4]), verbose=0)"
    ),
    "a `while` around `train_on_batch`": (
        "inputs = x = tf.keras.Input([4])\nfor _ in range(3):\n  x = tf.keras.layers.Dense(4)(x)\n"
        "class Wide(tf.keras.layers.Layer):\n  def call(self, x):\n"
        + "".join(f"    x = tf.sin(x) * {i}.0 + tf.cos(x)\n" for i in range(99))
        + "    return x\nmodel = tf.keras.Model(inputs, Wide()(x))\nmodel.compile('sgd', 'mse')\nturn = 0\n"
        "while item < 20:\n  model.train_on_batch(tf.ones([8, 4]), tf.ones([8, 4]))\n  item += 1"
    ),
    "the layers of a model": (
        "blocks = [tf.keras.layers.Dense(4) for _ in range(60)]\n@tf.function\ndef deep(x):\n"
        "  for block in blocks:\n    x = tf.nn.relu(block(x)) * 2.0 + 1.0\n  return x\ndeep(tf.ones([1, 4]))"
    ),
    "a loop of calls of a large function": (
        "@tf.function\ndef large(x):\n"
        + "".join(f"  x = tf.sin(x) * {i}.0 + tf.cos(x)\n" for i in range(150))
        + "  return x\nfor _ in range(30):\n  large(tf.ones([2]))"
    ),
    "the layers of a model, in the share that is not their gradient": (
        "blocks = [tf.keras.layers.Dense(4) for _ in range(30)]\n"
        "for block in blocks: block.build([None, 4])\n"
        "@tf.function\ndef step(x):\n  with tf.GradientTape() as tape:\n    for block in blocks:\n"
        "      x = x + tf.nn.relu(block(x)) * tf.sigmoid(x)\n    loss = tf.reduce_sum(x)\n"
        "  return tape.gradient(loss, [block.kernel for block in blocks])\nstep(tf.ones([1, 4]))"
    ),
    "a part of a graph that has a gradient": (
        "v = tf.Variable(tf.ones([4]))\n@tf.function\ndef step(x):\n  with tf.GradientTape() as tape:\n"
        "    for i in range(16):\n" + "      x = tf.sin(x) * tf.cos(x + v)\n" * 8 + "".join(
            f"    x = tf.sin(x) * {i}.0 + tf.cos(x)\n" for i in range(300))
        + "    loss = tf.reduce_sum(x)\n  return tape.gradient(loss, v)\nstep(tf.ones([4]))"
    ),
    "the gradients of a model, clipped and applied": (
        "layers = [tf.keras.layers.Dense(4) for _ in range(60)]\n"
        "for layer in layers: layer.build([None, 4])\n"
        "weights = [v for layer in layers for v in layer.trainable_variables]\nrate = tf.Variable(0.1)\n"
        "@tf.function\ndef step(x):\n  with tf.GradientTape() as tape:\n"
        "    for layer in layers: x = layer(x)\n    loss = tf.reduce_sum(x)\n"
        "  gradients = [tf.clip_by_norm(g, 1.0) for g in tape.gradient(loss, weights)]\n"
        "  for v, g in zip(weights, gradients): v.assign_sub(rate * g)\nstep(tf.ones([1, 4]))"
    ),
    "an optimizer, which reads its rate for each variable": (
        "model = tf.keras.Sequential([tf.keras.Input([4])] + [tf.keras.layers.Dense(4) for _ in range(40)])\n"
        "optimizer = tf.keras.optimizers.Adam(0.1)\noptimizer.build(model.trainable_variables)\n"
        "@tf.function\ndef step(x):\n  with tf.GradientTape() as tape:\n    loss = tf.reduce_sum(model(x))\n"
        "  gradients = tape.gradient(loss, model.trainable_variables)\n"
        "  gradients, _ = tf.clip_by_global_norm(gradients, 1.0)\n"
        "  optimizer.apply_gradients(zip(gradients, model.trainable_variables))\nstep(tf.ones([1, 4]))"
    ),
    "a few iterations": (
        "@tf.function\ndef few(x):\n  for i in range(5):\n"
        + "".join(f"    x = tf.sin(x) * {i}.0 + tf.cos(x)\n" for i in range(30))
        + "  return x\nfew(tf.ones([2]))"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNROLLED)
def test_the_loop_is_charged(name: str, tensorflow: TensorFlowServer) -> None:
    program, line = UNROLLED[name]
    found = [f for f in tensorflow.run(HEAD + program).report.findings if f.rule == "GD120"]
    assert [f.line for f in found] == [line]
    assert found[0].observed is not None


@pytest.mark.parametrize("name", OTHERS)
def test_other_loops_are_not(name: str, tensorflow: TensorFlowServer) -> None:
    found = tensorflow.run(HEAD + OTHERS[name]).report.findings
    assert [f for f in found if f.rule == "GD120"] == []
