"""TensorFlow's graph-mode exceptions, really raised: the rule, the user's line and our words."""
# ruff: noqa: E501

import pytest
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

HEAD = "import tensorflow as tf\n"
FUNCTION = HEAD + "@tf.function\n"

# name: program, rule, line, and the beginning of what we say
PROGRAMS = {
    "list filled in a loop": (
        FUNCTION + "def f(n):\n  out = []\n  for i in tf.range(n):\n    out.append(i)\n  return tf.stack(out)\n"
        "f(tf.constant(3))",
        "GD309", 6, "a tensor created inside a TensorFlow loop is used outside it",
    ),
    "tensor kept on an object": (
        HEAD + "class M: pass\nm = M()\n@tf.function\ndef f(x):\n  m.h = x + 1\n  return x\nf(tf.ones(3))\n"
        "print(m.h + 1)",
        "GD212", 9, "a symbolic tensor of a finished graph was stored",
    ),
    "no AutoGraph": (
        HEAD + "@tf.function(autograph=False)\ndef f(x):\n  if x > 0:\n    return x\n  return -x\n"
        "f(tf.constant(3))",
        "GD337", 4, "because of `autograph=False` this `if` runs in Python",
    ),
    "Keras layer": (
        HEAD + "class L(tf.keras.layers.Layer):\n  def call(self, x):\n    if tf.reduce_sum(x) > 0:\n"
        "      return x\n    return -x\nm = tf.keras.Sequential([L()])\nm.predict(tf.ones([4, 2]), verbose=0)",
        "GD701", 4, "Keras 3 runs this code without AutoGraph",
    ),
    "a variable in the body": (
        FUNCTION + "def f(x):\n  v = tf.Variable(1.0)\n  return v + x\nf(1.0)",
        "GD401", 4, "a variable is created here on a call that is not the first",
    ),
    "two optimizers": (
        FUNCTION + "def f(o, v):\n  with tf.GradientTape() as t:\n    l = v * v\n"
        "  o.apply_gradients([(t.gradient(l, v), v)])\nv = tf.Variable(2.0)\n"
        "f(tf.keras.optimizers.Adam(), v)\nf(tf.keras.optimizers.Adam(), v)",
        "GD403", 9, "a second optimizer creates its variables here",
    ),
    "one branch": (
        FUNCTION + "def f(x):\n  if x > 0:\n    y = x\n  return y\nf(tf.constant(3))",
        "GD301", 5, "`y` has no value in the else branch",
    ),
    "None in a branch": (
        FUNCTION + "def f(x):\n  y = None\n  if x > 0:\n    y = x\n  return y\nf(tf.constant(3))",
        "GD302", 6, "`y` is None at the end of the else branch",
    ),
    "return in a branch": (
        FUNCTION + "def f(x):\n  if x > 0:\n    return x\nf(tf.constant(3))",
        "GD303", 5, "the else branch of a tensor `if` returns nothing",
    ),
    "dtypes of branches": (
        FUNCTION + "def f(x):\n  if x > 0:\n    y = 1\n  else:\n    y = 0.5\n  return y\nf(tf.constant(3))",
        "GD304", 5, "`y` is int32 in one branch and float32 in the other",
    ),
    "a number in a loop inside `map_fn`": (
        HEAD + "def f(n):\n  s = 0\n  for i in tf.range(n):\n    s += weight(i)\n  return s\n"
        "import os\ndef weight(i):\n  return tf.sin(tf.cast(i, os.environ.get('NO_SUCH', 'float32')))\n"
        "tf.function(lambda ns: tf.map_fn(f, ns, fn_output_signature=tf.float32))(tf.constant([3]))",
        "GD306", 5, "`s` starts as 0, which becomes int32 in a TensorFlow loop and is combined with float32",
    ),
    "a number of a loop, in what it calls": (
        HEAD + "def add(a, b):\n  return tf.add_n([a, b])\nimport os\ndtype = os.environ.get('NO_SUCH', 'float32')\n"
        "@tf.function\ndef f(x):\n  total = 1\n  while x > 0.0:\n    total = add(total, tf.cast(x, dtype))\n"
        "    x -= 1.0\n  return total\nf(tf.constant(3.0))",
        "GD306", 3, "`total` starts as 1, which becomes int32 in a TensorFlow loop and is combined with float32",
    ),
    "shape grows": (
        FUNCTION + "def f(x):\n  s = x\n  for i in tf.range(3):\n    s = tf.concat([s, x], 0)\n  return s\n"
        "f(tf.constant([3.0]))",
        "GD307", 6, "`s` has shape (1,) before the loop and (2,) after one iteration",
    ),
    "defined in a branch of a loop": (
        FUNCTION + "def f(x):\n  while x > 0.0:\n    x -= 1.0\n    if x > 2.0:\n      best = x\n  return best\n"
        "f(tf.constant(3.0))",
        "GD301", 7, "`best` is set only in one branch of a tensor `if` inside this loop",
    ),
    ".numpy()": (
        FUNCTION + "def f(x):\n  return x.numpy()\nf(tf.constant([3.0]))",
        "GD801", 4, "`.numpy()` needs the value of a symbolic tensor",
    ),
    "NumPy": (
        HEAD + "import numpy as np\n@tf.function\ndef f(x):\n  return np.mean(x)\nf(tf.constant([3.0]))",
        "GD802", 5, "a NumPy function gets a symbolic tensor",
    ),
    "signature": (
        HEAD + "@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])\ndef f(x):\n  return x\n"
        "f(tf.constant([[3.0]]))",
        "GD104", 5, "the function was called with `TensorSpec(shape=(1, 1)",
    ),
    "self is gone": (
        HEAD + "class A:\n  def __init__(self): self.k = 2.0\n  @tf.function\n  def f(self, x):\n"
        "    return x * self.k\nf = A().f\nimport gc; gc.collect()\nf(tf.ones(3))",
        "GD411", 7, "the object of this method was freed",
    ),
    "break": (
        FUNCTION + "def f(x):\n  for i in range(3):\n    if x > i: break\n  return x\nf(tf.constant(3))",
        "GD314", 5, "a tensor decides when this Python loop ends",
    ),
    "return in a loop": (
        FUNCTION + "def f(x):\n  for i in tf.range(3):\n    if x > i: return i\n  return x\nf(tf.constant(3))",
        "GD317", 5, "a `return` inside a TensorFlow loop",
    ),
    "comprehension": (
        FUNCTION + "def f(x):\n  return [v for v in x]\nf(tf.constant([3]))",
        "GD330", 4, "Python itself iterates over a symbolic tensor here",
    ),
    "unknown size": (
        HEAD + "@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])\ndef f(x):\n"
        "  return tf.zeros([x.shape[0]])\nf(tf.constant([3.0]))",
        "GD601", 4, "a size that is not known while tracing",
    ),
    "constant of a tensor": (
        FUNCTION + "def f(x):\n  return tf.constant(x)\nf(tf.constant([3.0]))",
        "GD804", 4, "`tf.constant` gets a tensor",
    ),
    "a placeholder of Keras in a function of TensorFlow": (
        HEAD + "x = tf.keras.Input([3])\ntf.nn.relu(tf.keras.layers.Dense(2)(x))",
        "GD406", 3, "`tf.keras.layers.Dense(2)(x)` is a KerasTensor, which `tf.nn.relu` does not accept",
    ),
    "a placeholder of Keras in a helper": (
        HEAD + "def scaled(x):\n  return tf.math.l2_normalize(x, 1)\nscaled(tf.keras.Input([3]))",
        "GD406", 3, "`x` is a KerasTensor, which `tf.math.l2_normalize` does not accept",
    ),
    "a placeholder of Keras that is reshaped": (
        HEAD + "x = tf.keras.Input([4])\ny = tf.reshape(x, [-1, 2, 2])",
        "GD406", 3, "`x` is a KerasTensor, which `tf.reshape` does not accept",
    ),
    "an if in a layer, while a model is made": (
        HEAD + "class L(tf.keras.layers.Layer):\n  def call(self, x):\n    if tf.reduce_any(x > 0): return x\n"
        "    return -x\nL()(tf.keras.Input([3]))",
        "GD701", 4, "",
    ),
    "a table that Keras exports without": (
        HEAD + "import keras, tempfile\nkeys, values = tf.constant([1], tf.int64), tf.constant([1.0])\n"
        "rows = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, values), 0.0)\n"
        "class M(keras.Model):\n  def call(self, x):\n    return rows.lookup(tf.cast(x, tf.int64))\n"
        "m = M()\nm(tf.ones([1, 1]))\nm.export(tempfile.mkdtemp(), verbose=False)",
        "GD412", 10, "a function uses a `StaticHashTable` that is not tracked by the saved object",
    ),
    "a Variable that is saved without": (
        HEAD + "import keras, tempfile\nscale = tf.Variable(2.0, name='scale')\nclass M(keras.Model):\n"
        "  def call(self, x):\n    return x * scale\nm = M()\nm(tf.ones([1, 1]))\n"
        "tf.saved_model.save(m, tempfile.mkdtemp())",
        "GD412", 9, "a function uses the Variable `scale` that is not tracked by the saved object",
    ),
    "an iterator that is saved without": (
        HEAD + "import tempfile\nrows = iter(tf.data.Dataset.range(3))\nclass M(tf.Module):\n"
        "  @tf.function(input_signature=[])\n  def f(self):\n    return next(rows)\n"
        "tf.saved_model.save(M(), tempfile.mkdtemp())",
        "GD412", 8, "a function uses an iterator that is not tracked by the saved object",
    ),
    "a function of a part that uses what is not saved": (
        HEAD + "import tempfile\nscale = tf.Variable(2.0, name='scale')\nclass M(tf.Module):\n"
        "  @tf.function(input_signature=[])\n  def scaled(self):\n    return scale * 2.0\n"
        "m = tf.Module()\nm.inner = M()\ntf.saved_model.save(m, tempfile.mkdtemp())",
        "GD412", 10, "`scaled` uses the Variable `scale` that is not tracked by the saved object",
    ),
    "argument changed": (
        FUNCTION + "def f(d):\n  d['k'] = 1\n  return d['x']\nf({'x': tf.ones(3)})",
        "GD205", 4, "the function modifies its argument `d`",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("program", "rule", "line", "words"), PROGRAMS.values(), ids=PROGRAMS)
def test_the_error_is_explained(
    program: str, rule: str, line: int, words: str, tensorflow: TensorFlowServer
) -> None:
    ran = tensorflow.run(program)
    assert ran.error is not None
    explained = [f for f in ran.report.findings if f.evidence.value in ("run", "both")]
    assert {f.rule for f in explained} == {rule}
    (reported,) = [f for f in explained if f.line == line]
    assert reported.message.startswith(words)
    assert reported.evidence.value == "both" or reported.message.endswith(f"({ran.error})")


UNRELATED = {
    "an ordinary bug": "import tensorflow as tf\nraise KeyError('x')",
    "in a trace": FUNCTION + "def f(x):\n  return x.shpe\nf(tf.ones(3))",
    "a bad shape": FUNCTION + "def f(x):\n  return x @ tf.ones([7, 7])\nf(tf.ones([3, 3]))",
    "dtypes that no loop carries": FUNCTION
    + "def f(x):\n  n = 1\n  for i in tf.range(3):\n    x = x + i\n  return x * n\nf(tf.ones(3))",
    "caught and handled": FUNCTION
    + "def f(x):\n  return x.shpe\ntry:\n  f(tf.ones(3))\nexcept AttributeError:\n  print('fine')",
}


@pytest.mark.parametrize("name", UNRELATED)
def test_errors_that_are_not_graph_mode_s_are_explained_by_no_rule(
    name: str, tensorflow: TensorFlowServer
) -> None:
    """A trace that ends with one is reported as such (GD900), and nobody claims to know why."""
    reported = [finding.rule for finding in tensorflow.run(UNRELATED[name]).report.findings]
    assert reported == ([] if name == "an ordinary bug" else ["GD900"])


NONE = {
    "a gradient": (
        FUNCTION + "def f(x):\n  with tf.GradientTape() as tape:\n    y = x * x\n"
        "  return -tape.gradient(y, x)\nf(tf.ones(3))",
        ["GD501"],
    ),
    "a size that NumPy is given": (
        HEAD + "import numpy as np\n@tf.function(input_signature=[tf.TensorSpec([None])])\ndef f(x):\n"
        "  return x + np.arange(x.shape[0])\nf(tf.ones(3))",
        ["GD601"],
    ),
    "neither": (FUNCTION + "def f(x, y=None):\n  return -y\nf(tf.ones(3))", ["GD900"]),
}


@pytest.mark.parametrize(("program", "expected"), NONE.values(), ids=NONE)
def test_none_that_a_finding_tells_of_is_reported_once(
    program: str, expected: list[str], tensorflow: TensorFlowServer
) -> None:
    ran = tensorflow.run(program)
    assert ran.error == "TypeError"
    assert [finding.rule for finding in ran.report.findings] == expected
