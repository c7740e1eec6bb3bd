"""Problems that once only a run showed, in variants of their own, each with a correct counterpart.

Each program was run on TensorFlow 2.21: the first of a pair does what the rule says, the second does not.
"""

import pytest
from tests.checking import check

from graphdoctor.model import Severity

HEAD = "import collections, copy, dataclasses\nimport numpy as np\nimport tensorflow as tf\nimport keras\n"
CACHE = """
class Cache:
    def __init__(self):
        self.functions = {}
    def get(self, key):
        if key not in self.functions:
            self.functions[key] = tf.function(lambda x: x * 2.0)
        return self.functions[key]
cache = Cache()
"""
CONFIG = """
@dataclasses.dataclass(frozen=True)
class Config:
    rate: float = 0.1
@tf.function
def f(x, config):
    return x * config.rate
base = Config()
"""
RATE = """
class Holder:
    def __init__(self):
        self.rate = 0.1
holder = Holder()
@tf.function
def f(x):
    return x * holder.rate
f(tf.constant(1.0))
"""
LOADED = "def load(i): return np.ones((4, 3), 'float32')\ndata = tf.data.Dataset.range(4)\n"
LAZY = """
class Model:
    def __init__(self):
        self.w = tf.Variable(2.0)
        self._graph = None
    @property
    def graph(self):
        BODY
m = Model()
for i in range(10):
    m.graph(tf.constant(1.0))
"""
NET = """
net = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
x, y = np.ones((4, 2)), np.ones((4, 1))
"""
MASK = """
class Mask:
    def __init__(self, t):
        self.t = t
    def __bool__(self):
        return RESULT
@tf.function
def apply(x):
    return x if Mask(x) else -x
apply(tf.constant([1.0]))
"""
POSITION = """
class Position:
    def __init__(self, t):
        self.t = t
    def __index__(self):
        return RESULT
names = [1.0, 2.0, 3.0]
@tf.function
def look(x):
    return names[Position(x)] * x
look(tf.constant([1.0, 5.0]))
"""
SWITCH = """
def choose(index, x):
    branches = []
    for power in (1, 2, 3):
        branches.append(lambda: x ** power)
    return tf.switch_case(index, branches)
choose(tf.constant(0), tf.constant(2.0))
"""
PAIRS = [
    pytest.param("GD102", CACHE + "for step in range(40):\n    cache.get(step)(tf.ones([2]))",
                 CACHE + "for step in range(40):\n    cache.get('step')(tf.ones([2]))",
                 id="a cache that each iteration misses, and one that serves all"),
    pytest.param("GD102", CACHE + "for i in range(40):\n    cache.get(f'step{i}')(tf.ones([2]))",
                 CACHE + "for i in range(40):\n    cache.get(i % 3)(tf.ones([2]))",
                 id="a key that counts, and one of three"),
    pytest.param("GD102", LAZY.replace("BODY", "return tf.function(lambda x: x * self.w)"),
                 LAZY.replace("BODY", "if self._graph is None:\n            "
                              "self._graph = tf.function(lambda x: x * self.w)\n        return self._graph"),
                 id="a graph function per access, and one that is kept"),
    pytest.param("GD109",
                 CONFIG + "for i in range(9): f(tf.ones([2]), dataclasses.replace(base, rate=i * 0.1))",
                 CONFIG + "one = dataclasses.replace(base, rate=0.3)\n"
                 "for i in range(9): f(tf.ones([2]), one)",
                 id="a copy of a record with other values"),
    pytest.param("GD114", "@tf.function\ndef total(d): return sum(d.values())\nhistory = {}\n"
                 "for i in range(12):\n    history[f'e{i}'] = tf.constant(1.0)\n    total(history)",
                 "@tf.function\ndef total(d): return sum(d.values())\nhistory = {}\nfor i in range(12):\n"
                 "    history[f'e{i % 2}'] = tf.constant(1.0)\ntotal(history)",
                 id="a dict that gets a key at each iteration"),
    pytest.param("GD120", "w = tf.Variable(tf.eye(4))\n@tf.function\ndef roll(h):\n    for t in range(200):\n"
                 "        h = tf.tanh(h @ w)\n    return h\nroll(tf.ones([1, 4]))",
                 "w = tf.Variable(tf.eye(4))\n@tf.function\ndef roll(h):\n    for t in range(60):\n"
                 "        h = tf.tanh(h @ w)\n    return h\nroll(tf.ones([1, 4]))",
                 id="reads of variables are operations, too"),
    pytest.param("GD123",
                 NET + "for i in range(6):\n    net.compile('sgd', 'mse')\n    net.fit(x, y, verbose=0)",
                 NET + "net.compile('sgd', 'mse')\nfor i in range(6):\n    net.fit(x, y, verbose=0)",
                 id="compiled again at each iteration"),
    pytest.param("GD215", RATE + "holder.rate = 0.7\nf(tf.constant(1.0))",
                 RATE + "other = copy.copy(holder)\nother.rate = 0.7\nf(tf.constant(1.0))",
                 id="the object itself, and a copy of it"),
    pytest.param("GD313", SWITCH, SWITCH.replace("lambda: x", "lambda power=power: x"),
                 id="branches that read the loop's last value"),
    pytest.param("GD333", MASK.replace("RESULT", "tf.reduce_any(self.t > 0.0)"),
                 MASK.replace("RESULT", "self.t.shape[0] > 0"),
                 id="an object whose truth is a tensor"),
    pytest.param("GD334", POSITION.replace("RESULT", "tf.argmax(self.t)"),
                 POSITION.replace("RESULT", "len(self.t.shape)"),
                 id="an object whose index is a tensor"),
    pytest.param("GD607", LOADED + "dense = keras.layers.Dense(2)\ndense.build((4, 3))\n"
                 "data.map(lambda i: tf.py_function(load, [i], tf.float32)).map(lambda t: dense(t))",
                 LOADED + "dense = keras.layers.Dense(2)\ndense.build((4, 3))\n"
                 "data = data.map(lambda i: tf.ensure_shape(tf.py_function(load, [i], tf.float32), [4, 3]))\n"
                 "data.map(lambda t: dense(t))",
                 id="a layer that is given what has no rank"),
    pytest.param("GD607", LOADED + "def parse(i):\n    image = tf.numpy_function(load, [i], tf.float32)\n"
                 "    return tf.image.resize(image, [2, 2])\ndata.map(parse)",
                 LOADED + "def parse(i):\n    image = tf.numpy_function(load, [i], tf.float32)\n"
                 "    return tf.image.random_brightness(image, 0.1)\ndata.map(parse)",
                 id="resize needs a rank, brightness does not"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "bad", "good"), PAIRS)
def test_a_problem_is_found_and_its_twin_is_left_alone(rule: str, bad: str, good: str) -> None:
    assert [finding.severity is Severity.NOTE for finding in check(HEAD + bad, rule)] == [False]
    assert [finding for finding in check(HEAD + good, rule) if finding.is_shown] == []
