"""State that traced code reads is watched whatever its type; what is as good as before is not stale."""
# ruff: noqa: E501

import pytest
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

HEAD = "import numpy as np\nimport tensorflow as tf\n"
MODULE = (
    "class M:\n  def __init__(self):\n    self.part = FIRST\n  @tf.function\n  def __call__(self, x):\n"
    "    return USE\nm = M()\nfor item in range(6):\n  m(tf.ones([2]))\n  CHANGE\n"
)


def program(first: str, use: str, change: str) -> str:
    return HEAD + MODULE.replace("FIRST", first).replace("USE", use).replace("CHANGE", change)


# name: program, the state, the line that reads it
STALE = {
    "a tensor attribute": (program("tf.ones([2])", "x * self.part", "m.part = m.part * 2.0"), "self.part", 8),
    "an array changed in place": (program("np.ones(2, 'f4')", "x * self.part", "m.part += 1.0"), "self.part", 8),
    "a list that grows": (program("[1.0]", "x * len(self.part)", "m.part.append(2.0)"), "self.part", 8),
    "a function": (program("tf.sin", "self.part(x)", "m.part = tf.cos if item % 2 else tf.tan"), "self.part", 8),
    "a layer": (
        program("tf.keras.layers.Dense(1)", "self.part(x[None])", "m.part = tf.keras.layers.Dense(1); m.part.build([1, 2])"),
        "self.part",
        8,
    ),
    "a flag that a base class sets": (
        HEAD + "class Base:\n  def switch(self, on): self.on = on\nclass M(Base):\n  def __init__(self): self.switch(False)\n"
        "  @tf.function\n  def __call__(self, x):\n    return x * (2.0 if self.on else 1.0)\nm = M()\n"
        "for item in range(6):\n  m(tf.ones([2]))\n  m.switch(item > 1)\n",
        "self.on",
        9,
    ),
    "a flag that an object reads which was made a graph function": (
        HEAD + "class Mode:\n  on = False\nclass Policy:\n  def __call__(self, x):\n    return -x if Mode.on else x\nact = tf.function(Policy())\n"
        "for item in range(6):\n  act(tf.ones([2]))\n  Mode.on = item > 1\n",
        "Mode.on",
        7,
    ),
    "a global that a partial reads": (
        HEAD + "import functools\nrate = 1.0\ndef scale(k, x):\n  return x * rate * k\nf = tf.function(functools.partial(scale, 2.0))\n"
        "for item in range(6):\n  f(tf.ones([2]))\n  rate = float(item)\n",
        "rate",
        6,
    ),
    "an attribute of an argument": (
        HEAD + "class Box:\n  def __init__(self, rate): self.rate = rate\nconfig = Box(1.0)\n@tf.function\ndef f(x, config):\n  return x * config.rate\n"
        "for item in range(6):\n  f(tf.ones([2]), config)\n  config.rate = float(item)\n",
        "config.rate",
        8,
    ),
    "an attribute of a first argument": (
        HEAD + "class Config:\n  rate = 1.0\nconfig = Config()\n@tf.function\ndef f(config, x):\n  return x * config.rate\n"
        "for item in range(6):\n  f(config, tf.ones([2]))\n  config.rate = float(item)\n",
        "config.rate",
        8,
    ),
    "a flag of a model that is an argument": (
        HEAD + "class Net:\n  deep = False\nnet = Net()\n@tf.function\ndef f(x, *, net):\n  return x * 2.0 if net.deep else x\n"
        "for item in range(6):\n  f(tf.ones([2]), net=net)\n  net.deep = item > 1\n",
        "net.deep",
        8,
    ),
    "an attribute that a function given to `map` reads": (
        HEAD + "class P:\n  scale = 1.0\n  def prepare(self, x):\n    return tf.cast(x, tf.float32) * self.scale\np = P()\n"
        "data = tf.data.Dataset.range(4).map(p.prepare).batch(2)\nfor item in range(3):\n  for x in data: pass\n  p.scale = float(item + 2)\n",
        "self.scale",
        6,
    ),
    "a global that a function given to `filter` reads": (
        HEAD + "least = 1\ndata = tf.data.Dataset.range(4).filter(lambda x: x > least)\nfor item in range(3):\n"
        "  list(data)\n  least = item + 2\n",
        "least",
        4,
    ),
    "a closure's value, in a pipeline that `fit` goes through": (
        HEAD + "def make():\n  noise = 1.0\n  def louder():\n    nonlocal noise\n    noise += 1.0\n"
        "  def add(x): return x + noise, x\n"
        "  return tf.data.Dataset.from_tensors(tf.ones([4, 1])).map(add), louder\ndata, louder = make()\n"
        "model = tf.keras.Sequential([tf.keras.Input([1]), tf.keras.layers.Dense(1)])\nmodel.compile('sgd', 'mse')\n"
        "for item in range(3):\n  model.fit(data, verbose=0)\n  louder()\n",
        "noise",
        8,
    ),
    "an item of a dictionary that is asked for": (
        program("{'rate': 1.0}", "x * self.part.get('rate', 2.0)", "m.part['rate'] = float(item)"), 'self.part["rate"]', 8
    ),
    "a setting of the environment": (
        HEAD + "import os\nos.environ['MODE'] = 'slow'\n@tf.function\ndef f(x):\n  return x if os.environ['MODE'] == 'fast' else -x\n"
        "for item in range(6):\n  f(tf.ones([2]))\n  os.environ['MODE'] = 'fast'\n",
        'os.environ["MODE"]',
        7,
    ),
    "a setting of the environment that is asked for": (
        HEAD + "import os\nos.environ['DEPTH'] = '1'\n@tf.function\ndef f(x):\n  return x * float(os.environ.get('DEPTH', '0'))\n"
        "for item in range(6):\n  f(tf.ones([2]))\n  os.environ['DEPTH'] = str(item)\n",
        'os.environ["DEPTH"]',
        7,
    ),
    "a setting of the environment by `getenv`": (
        HEAD + "import os\nos.environ['DEPTH'] = '1'\ndef depth(): return float(os.getenv('DEPTH'))\n@tf.function\ndef f(x):\n"
        "  return x * depth()\nfor item in range(6):\n  f(tf.ones([2]))\n  os.environ['DEPTH'] = str(item)\n",
        'os.environ["DEPTH"]',
        5,
    ),
    "what a property of another object reads": (
        HEAD + "class Config:\n  def __init__(self): self._rate = 1.0\n  @property\n  def rate(self): return self._rate * 2\nconfig = Config()\n"
        "@tf.function\ndef f(x):\n  return x * config.rate\nfor item in range(6):\n  f(tf.ones([2]))\n  config._rate = float(item)\n",
        "self._rate",
        6,
    ),
    "what a property of its own object reads": (
        HEAD + "class M:\n  def __init__(self): self._rate = 1.0\n  @property\n  def rate(self):\n    return self._rate\n  @tf.function\n"
        "  def __call__(self, x):\n    return x * self.rate\nm = M()\nfor item in range(6):\n  m(tf.ones([2]))\n  m._rate = float(item)\n",
        "self._rate",
        7,
    ),
    "an item of a dictionary that reads as an attribute": (
        HEAD + "class Options(dict):\n  __getattr__ = dict.__getitem__\noptions = Options(rate=1.0)\n@tf.function\ndef f(x):\n"
        "  return x * options.rate\nfor item in range(6):\n  f(tf.ones([2]))\n  options['rate'] = float(item)\n",
        "options.rate",
        8,
    ),
    "what the `__getattr__` of an object reads": (
        HEAD + "class Box:\n  def __init__(self, **values): self.__dict__['_data'] = values\n"
        "  def __getattr__(self, name): return self._data[name]\nbox = Box(rate=1.0)\n@tf.function\ndef f(x):\n"
        "  return x * box.rate\nfor item in range(6):\n  f(tf.ones([2]))\n  box._data['rate'] = float(item)\n",
        "self._data",
        5,
    ),
    "a global tensor": (
        HEAD + "scale = tf.constant(1.0)\n@tf.function\ndef f(x):\n  return x * scale\nfor item in range(6):\n"
        "  f(tf.ones([2]))\n  scale = tf.constant(float(item))\n",
        "scale",
        6,
    ),
}  # fmt: skip

FRESH = {
    "a pipeline that is built again": (
        HEAD + "scale = 1.0\nfor item in range(3):\n  for x in tf.data.Dataset.range(4).map(lambda x: tf.cast(x, tf.float32) * scale): pass\n"
        "  scale = float(item + 2)\n"
    ),
    "a pipeline that nobody goes through again": (
        HEAD + "scale = 1.0\ndata = tf.data.Dataset.range(4).map(lambda x: tf.cast(x, tf.float32) * scale)\nlist(data)\nscale = 2.0\n"
        "list(tf.data.Dataset.range(3))\n"
    ),
    "what a pipeline calls back for": (
        HEAD + "scale = 1.0\ndef slow(x): return x * scale\n"
        "data = tf.data.Dataset.range(4).map(lambda x: tf.numpy_function(slow, [tf.cast(x, tf.float64)], tf.float64))\n"
        "for item in range(3):\n  list(data)\n  scale = float(item + 2)\n"
    ),
    "one of two objects that are given in item": (
        HEAD + "class Box:\n  def __init__(self, rate): self.rate = rate\none, two = Box(1.0), Box(1.0)\n@tf.function\n"
        "def f(x, config):\n  return x * config.rate\nf(tf.ones([2]), one)\nfor item in range(6):\n"
        "  f(tf.ones([2]), two)\n  one.rate = float(item)\n"
    ),
    "a parameter that is set again": (
        HEAD + "class Box:\n  def __init__(self, rate): self.rate = rate\nconfig = Box(1.0)\nother = Box(2.0)\n@tf.function\n"
        "def f(x, config):\n  config = other\n  return x * config.rate\nfor item in range(6):\n"
        "  f(tf.ones([2]), config)\n  config.rate = float(item)\n"
    ),
    "another item of the dictionary": program(
        "{'rate': 1.0}", "x * self.part.get('rate')", "m.part['depth'] = float(item)"
    ),
    "an item that was not there": program("{'depth': 1.0}", "x * self.part.get('rate', 2.0)", "m.part['depth'] += 1.0"),
    "another setting of the environment": (
        HEAD + "import os\nos.environ['MODE'] = 'slow'\n@tf.function\ndef f(x):\n  return x if os.getenv('MODE') == 'fast' else -x\n"
        "for item in range(6):\n  f(tf.ones([2]))\n  os.environ['OTHER'] = str(item)\n"
    ),
    "a property that nobody reads": (
        HEAD + "class Config:\n  def __init__(self): self._rate, self.depth = 1.0, 2.0\n  @property\n  def rate(self): return self._rate\n"
        "config = Config()\n@tf.function\ndef f(x):\n  return x * config.depth\nfor item in range(6):\n  f(tf.ones([2]))\n"
        "  config._rate = float(item)\n"
    ),
    "a property that gives a variable": (
        HEAD + "class Config:\n  def __init__(self): self._rate = tf.Variable(1.0)\n  @property\n  def rate(self): return self._rate\n"
        "config = Config()\n@tf.function\ndef f(x):\n  return x * config.rate\nfor item in range(6):\n  f(tf.ones([2]))\n"
        "  config._rate.assign(float(item))\n"
    ),
    "an attribute that hides `__getattr__`": (
        HEAD + "class Box:\n  def __init__(self): self.values, self.rate = {}, 1.0\n  def __getattr__(self, name): return self.values[name]\n"
        "box = Box()\n@tf.function\ndef f(x):\n  return x * box.rate\nfor item in range(6):\n  f(tf.ones([2]))\n"
        "  box.values['depth'] = float(item)\n"
    ),
    "an equal tensor": program("tf.ones([2])", "x * self.part", "m.part = tf.ones([2])"),
    "an equal list": program("[1.0]", "x * len(self.part)", "m.part = [1.0]"),
    "a variable that is assigned": program("tf.Variable(1.0)", "x * self.part", "m.part.assign_add(1.0)"),
    "the same layer": program("tf.keras.layers.Dense(1)", "self.part(x[None])", "m.part = m.part"),
    "what the traced code does not read": program("tf.ones([2])", "x * 2.0", "m.part = tf.zeros([2])"),
    "an equal setting": (
        HEAD + "import types\nclass M:\n  def __init__(self): self.options = types.SimpleNamespace(rate=1.0)\n"
        "  @tf.function\n  def __call__(self, x):\n    return scaled(x, self.options)\n"
        "def scaled(x, options):\n  return x * options.rate\nm = M()\nfor item in range(6):\n  m(tf.ones([2]))\n"
        "  m.options = types.SimpleNamespace(rate=1.0)\n"
    ),
    "traced again with it": (
        HEAD + "class M:\n  def __init__(self): self.part = tf.ones([2])\n  def make(self):\n"
        "    self.run = tf.function(lambda x: x * self.part)\nm = M()\nfor item in range(3):\n  m.make()\n"
        "  m.run(tf.ones([2]))\n  m.run(tf.ones([2]))\n  m.part = m.part * 2.0\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STALE)
def test_what_changed_is_reported(name: str, tensorflow: TensorFlowServer) -> None:
    text, state, line = STALE[name]
    ran = tensorflow.run(text)
    assert ran.error is None, ran.output
    found = [f for f in ran.report.findings if f.rule in ("GD214", "GD215")]
    assert [(f.argument, f.line) for f in found] == [(state, line)]
    assert found[0].observed is not None


@pytest.mark.parametrize("name", FRESH)
def test_what_is_as_good_as_before_is_not(name: str, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(FRESH[name])
    assert ran.error is None, ran.output
    assert [f for f in ran.report.findings if f.rule in ("GD214", "GD215")] == []
