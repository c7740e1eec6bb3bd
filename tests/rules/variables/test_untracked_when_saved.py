"""GD412: must not fire, must fire; and TensorFlow agrees."""
# ruff: noqa: E501

from inspect import cleandoc

import pytest
from tests.checking import check
from tests.running import TensorFlowServer

RULE = "GD412"
HEAD = """import tempfile
import keras
import tensorflow as tf
def table(first="a"):
    values = tf.constant([1], tf.int64)
    return tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer([first], values), -1)
TEXTS, NUMBERS = [tf.TensorSpec([None], tf.string)], [tf.TensorSpec([None, 1])]
def save(thing, **options):
    tf.saved_model.save(thing, tempfile.mkdtemp(), **options)
"""
HOLDING = """
class A(tf.Module):
    def __init__(self):
        super().__init__()
        {}
    @tf.function(input_signature=TEXTS)
    def f(self, x):
        return {}.lookup(x)
save(A())
"""
GLOBAL_TABLE = """
rows = table()
class A(tf.Module):
    {}
    def f(self, x):
        return rows.lookup(x)
"""
OF_TEXTS = "@tf.function(input_signature=TEXTS)"
KERAS = """
class A(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)
        self.rows = {}
    def call(self, x):
        return self.dense(x)
    @tf.function(input_signature=TEXTS)
    def f(self, x):
        return self.rows{}.lookup(x)
model = A()
model(tf.ones([1, 1]))
save(model)
"""
WEIGHTS = """
class A(tf.Module):
    def __init__(self):
        super().__init__()
        {}
    @tf.function(input_signature=NUMBERS)
    def f(self, x):
        return {}
save(A())
"""

# What nothing is wrong with, on TensorFlow 2.21.
RIGHT = {
    "an attribute": HOLDING.format("self.rows = table()", "self.rows"),
    "a private attribute": HOLDING.format("self._rows = table()", "self._rows"),
    "a list": HOLDING.format("self.rows = [table()]", "self.rows[0]"),
    "a tuple": HOLDING.format("self.rows = (table(),)", "self.rows[0]"),
    "a dict": HOLDING.format("self.rows = {'a': table()}", "self.rows['a']"),
    "a list in a dict": HOLDING.format("self.rows = {'a': [(table(),)]}", "self.rows['a'][0][0]"),
    "a list that is filled": HOLDING.format("self.rows = []; self.rows.append(table())", "self.rows[0]"),
    "a dict that is filled": HOLDING.format("self.rows = {}; self.rows['a'] = table()", "self.rows['a']"),
    "setattr": HOLDING.format("setattr(self, 'rows', table())", "self.rows"),
    "setattr under any name": HOLDING.format(
        "self.names = [f'rows{i}' for i in range(int(tempfile.gettempdir() != '') + 1)]\n"
        "        for name in self.names: setattr(self, name, table())",
        "getattr(self, self.names[1])",
    ),
    "a module inside": HOLDING.format("self.inner = tf.Module(); self.inner.rows = table()", "self.inner.rows"),
    "a module of one's own inside": "class Inner(tf.Module):\n  def __init__(self):\n    super().__init__()\n"
    "    self.rows = table()\n" + HOLDING.format("self.inner = Inner()", "self.inner.rows"),
    "a layer of one's own inside": "class Inner(keras.layers.Layer):\n  def __init__(self):\n"
    "    super().__init__()\n    self.rows = table()\n  def call(self, x): return x\n"
    + HOLDING.format("self.inner = Inner()", "self.inner.rows"),
    "a global name and an attribute": "rows = table()" + HOLDING.format("self.rows = rows", "rows"),
    "set before it is saved": GLOBAL_TABLE.format(OF_TEXTS) + "a = A()\na.rows = rows\nsave(a)",
    "of a cache, and kept": """
        tables = {}
        def known(words):
            key = tuple(words)
            if key not in tables:
                tables[key] = table(words[0])
            return tables[key]
        class A(tf.Module):
            def __init__(self, words):
                super().__init__()
                self.words = tuple(words)
                self.rows = known(self.words)
            @tf.function(input_signature=TEXTS)
            def f(self, x):
                return known(self.words).lookup(x)
        save(A(sorted({word for text in ['a b', 'b c'] for word in text.split()})))
        """,
    "made in the function, and kept": HOLDING.format("self.rows = None", "self.known()").replace(
        "    @tf.function",
        "    def known(self):\n        if self.rows is None:\n            with tf.init_scope():\n"
        "                self.rows = table()\n        return self.rows\n    @tf.function",
    ),
    "another one since it was called": HOLDING.format("self.rows = table()", "self.rows").replace(
        "save(A())", "a = A()\na.f(tf.constant(['a']))\na.rows = table('b')\nsave(a)"
    ),
    "no longer used since it was called": """
        scale = tf.Variable(2.0)
        class A(tf.Module):
            scaling = True
            @tf.function
            def f(self, x):
                return x * scale if self.scaling else x
        a = A()
        a.f(tf.ones([1]))
        a.scaling = False
        save(a)
        """,
    "a Variable of a step that is not saved": """
        count = tf.Variable(0)
        class A(tf.Module):
            @tf.function(input_signature=NUMBERS)
            def f(self, x):
                return x * 2.0
        @tf.function
        def step(a, x):
            count.assign_add(1)
            return a.f(x)
        a = A()
        step(a, tf.ones([1, 1]))
        save(a)
        """,
    "a table of a pipeline": "rows = table()\n"
    "for x in tf.data.Dataset.from_tensors('a').map(lambda x: rows.lookup(x)): pass\n"
    + WEIGHTS.format("pass", "x * 2.0"),
    "a Variable that is read before": WEIGHTS.format("pass", "x * self.known()").replace(
        "    @tf.function", "    def known(self):\n        with tf.init_scope():\n            return float(scale.numpy())\n    @tf.function"
    ).replace("class A", "scale = tf.Variable(2.0)\nclass A"),
    "a table by a property": HOLDING.format("self.known = {'a': table()}", "self.rows").replace(
        "    @tf.function", "    @property\n    def rows(self):\n        return self.known['a']\n    @tf.function"
    ),
    "tables of unknown number": """
        import os
        class A(tf.Module):
            def __init__(self, words):
                super().__init__()
                self.rows = [table(word) for word in words]
                self.named = {word: table(word) for word in words}
            @tf.function(input_signature=TEXTS)
            def f(self, x):
                return [rows.lookup(x) for rows in self.rows] + [rows.lookup(x) for rows in self.named.values()]
        save(A(sorted(set(os.getcwd().split('/')))))
        """,
    "layers of unknown number": "import os\n" + WEIGHTS.format(
        "self.layers = [keras.layers.Dense(1) for _ in range(len(os.sep) + 1)]\n"
        "        for layer in self.layers: layer.build((None, 1))",
        "[layer(x) for layer in self.layers]",
    ),
    "objects of a loop": HOLDING.format("self.rows = table()", "self.rows").replace(
        "save(A())", "for _ in range(len(tempfile.gettempprefix())):\n  save(A())"
    ),
    "a table of a base": "class Base:\n  def __init__(self):\n    super().__init__()\n    self.rows = table()\n"
    + HOLDING.format("pass", "self.rows").replace("A(tf.Module)", "A(Base, tf.Module)"),
    "attributes by their names": """
        class A(tf.Module):
            def __init__(self, **parts):
                super().__init__()
                for name, part in parts.items():
                    setattr(self, name, part)
            @tf.function(input_signature=TEXTS)
            def f(self, x):
                return self.rows.lookup(x)
        save(A(rows=table()))
        """,
    "a function that was never called": GLOBAL_TABLE.format("@tf.function") + "save(A())",
    "not a graph function": GLOBAL_TABLE.format("") + "a = A()\na.f(tf.constant(['a']))\nsave(a)",
    "a function of a plain object inside": GLOBAL_TABLE.format(OF_TEXTS)
    + "class Plain:\n  pass\nouter = tf.Module()\nouter.inner = Plain()\nouter.inner.a = A()\nsave(outer)",
    "another object is saved": GLOBAL_TABLE.format(OF_TEXTS) + "A().f(tf.constant(['a']))\nsave(tf.Module())",
    "constants and arrays": "import numpy as np\nlarge = tf.constant(np.zeros(5000, np.float32))\n"
    + WEIGHTS.format("pass", "x * tf.reduce_sum(large) + np.ones([1], np.float32)"),
    "only the shape of a Variable": "scale = tf.Variable([2.0])\n"
    + WEIGHTS.format("pass", "x * float(scale.shape[0])"),
    "a Variable": WEIGHTS.format("self.scale = tf.Variable(2.0)", "x * self.scale"),
    "a Variable in a list": WEIGHTS.format("self.scales = [tf.Variable(2.0)]", "x * self.scales[0]"),
    "a layer": WEIGHTS.format("self.dense = keras.layers.Dense(1)\n        self.dense.build((None, 1))", "self.dense(x)"),
    "a model": WEIGHTS.format(
        "self.net = keras.Sequential([keras.Input([1]), keras.layers.Dense(1)])", "self.net(x)"
    ),
    "a layer of a model": "dense = keras.layers.Dense(1)\nx = keras.Input([1])\nmodel = keras.Model(x, dense(x))\n"
    + WEIGHTS.format("self.model = model", "dense(x)"),
    "the model of layers": "dense = keras.layers.Dense(1)\nmodel = keras.Sequential([keras.Input([1]), dense])\n"
    + WEIGHTS.format("self.layers = [dense]", "model(x)"),
    "a layer without weights": "drop = keras.layers.ReLU()\n" + WEIGHTS.format("pass", "drop(x)"),
    "the weights of a layer": "dense = keras.layers.Dense(1)\ndense.build((None, 1))\n"
    + WEIGHTS.format("self.dense = dense", "x @ dense.kernel.value"),
    "a model of Keras'": KERAS.format("table()", ""),
    "a list of a model of Keras'": KERAS.format("[table()]", "[0]"),
    "a dict of a model of Keras'": KERAS.format("{'a': table()}", "['a']"),
    "a concrete function": """
        class A(tf.Module):
            def __init__(self):
                super().__init__()
                self.rows = table()
            @tf.function
            def f(self, x):
                return {"y": self.rows.lookup(x)}
        a = A()
        save(a, signatures=a.f.get_concrete_function(tf.TensorSpec([None], tf.string)))
        """,
}  # fmt: skip

# Unknown: the rule is silent. Not run.
UNKNOWN = {
    "a base that is not known": "from library import Base\nrows = table()\nclass A(Base, tf.Module):\n"
    f"  {OF_TEXTS}\n  def f(self, x):\n    return rows.lookup(x)\nsave(A())",
    "an attribute that is not known": "from library import helper\nrows = table()\n"
    + HOLDING.format("self.helper = helper(rows)", "rows"),
    "others get the object": "from library import register\n" + GLOBAL_TABLE.format(OF_TEXTS)
    + "a = A()\nregister(a)\nsave(a)",
    "tracked by hand": GLOBAL_TABLE.format(OF_TEXTS) + "a = A()\na._track_trackable(rows, 'rows')\nsave(a)",
    "a class that says what it tracks": "rows = table()\nclass A(tf.Module):\n"
    "  def _trackable_children(self, *options, **more):\n    return {'rows': rows}\n"
    f"  {OF_TEXTS}\n  def f(self, x):\n    return rows.lookup(x)\nsave(A())",
    "a condition that is not known": "import sys\nrows = table()\nclass A(tf.Module):\n"
    f"  {OF_TEXTS}\n  def f(self, x):\n    return rows.lookup(x) if sys.argv[1:] else x\nsave(A())",
    "an object that others give": GLOBAL_TABLE.format(OF_TEXTS) + "def export(a):\n  save(a)",
}  # fmt: skip

# What raises on TensorFlow 2.21.
WRONG = {
    "a global name": GLOBAL_TABLE.format(OF_TEXTS) + "save(A())",
    "a global name, in a function that was called": GLOBAL_TABLE.format("@tf.function")
    + "a = A()\na.f(tf.constant(['a']))\nsave(a)",
    "a signature that is given": GLOBAL_TABLE.format(OF_TEXTS) + "a = A()\nsave(a, signatures=a.f)",
    "a concrete function": "rows = table()\n@tf.function\ndef f(x):\n  return {'y': rows.lookup(x)}\n"
    "save(tf.Module(), signatures=f.get_concrete_function(tf.TensorSpec([None], tf.string)))",
    "a dict of the module": "rows = {'a': table()}" + HOLDING.format("pass", "rows['a']"),
    "a cache": """
        tables = {}
        def known(words):
            key = tuple(words)
            if key not in tables:
                tables[key] = table(words[0])
            return tables[key]
        class A(tf.Module):
            def __init__(self, words):
                super().__init__()
                self.words = tuple(words)
            @tf.function(input_signature=TEXTS)
            def f(self, x):
                return known(self.words).lookup(x)
        words = sorted({word for text in ['a b', 'b c'] for word in text.split()})
        known(words)
        save(A(words))
        """,
    "an attribute of the class": HOLDING.format("pass", "self.rows").replace(
        "    def __init__", "    rows = table()\n    def __init__"
    ),
    "made in the function": HOLDING.format("pass", "table()"),
    "a helper": HOLDING.format("pass", "self.known()").replace(
        "    @tf.function", "    def known(self):\n        return rows\n    @tf.function"
    ).replace("class A", "rows = table()\nclass A"),
    "a plain object": "class Plain:\n  def __init__(self):\n    self.rows = table()\n"
    + HOLDING.format("self.plain = Plain()", "self.plain.rows"),
    "a plain object in a list": "class Plain:\n  def __init__(self):\n    self.rows = table()\n"
    + HOLDING.format("self.plain = [Plain()]", "self.plain[0].rows"),
    "a module inside with such a function": GLOBAL_TABLE.format(OF_TEXTS)
    + "class Outer(tf.Module):\n  def __init__(self):\n    super().__init__()\n    self.inner = A()\n"
    "outer = Outer()\nouter.inner.f(tf.constant(['a']))\nsave(outer)",
    "a closure": "def make():\n  rows = table()\n  @tf.function(input_signature=TEXTS)\n  def f(x):\n"
    "    return rows.lookup(x)\n  return f\nf = make()\nf(tf.constant(['a']))\nmodule = tf.Module()\nmodule.f = f\nsave(module)",
    "a Variable": "scale = tf.Variable(2.0)\n" + WEIGHTS.format("pass", "x * scale"),
    "a Variable that is counted": "count = tf.Variable(0)\n" + WEIGHTS.format("pass", "x").replace(
        "        return x", "        count.assign_add(1)\n        return x"
    ),
    "a layer": "dense = keras.layers.Dense(1)\ndense.build((None, 1))\n" + WEIGHTS.format("pass", "dense(x)"),
    "a model": "net = keras.Sequential([keras.Input([1]), keras.layers.Dense(1)])\n" + WEIGHTS.format("pass", "net(x)"),
    "a model of functions": "x = keras.Input([1])\nnet = keras.Model(x, keras.layers.Dense(1)(x))\n"
    + WEIGHTS.format("pass", "net(x)"),
}  # fmt: skip


def program(text: str) -> str:
    return HEAD + cleandoc(text) + "\n"


@pytest.mark.parametrize("name", [*RIGHT, *UNKNOWN])
def test_it_is_silent(name: str) -> None:
    assert check(program({**RIGHT, **UNKNOWN}[name]), RULE) == []


@pytest.mark.parametrize("name", WRONG)
def test_it_fires(name: str) -> None:
    assert [finding.line for finding in check(program(WRONG[name]), RULE)] == [9]


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", RIGHT)
def test_tensorflow_saves_it(name: str, oracle: TensorFlowServer) -> None:
    assert oracle.run(program(RIGHT[name])).error is None


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", WRONG)
def test_tensorflow_refuses_it(name: str, oracle: TensorFlowServer) -> None:
    ran = oracle.run(program(WRONG[name]))
    assert [(finding.rule, finding.line) for finding in ran.report.findings] == [(RULE, 9)]


def test_it_names_the_function_and_what_it_uses() -> None:
    [found] = check(program(WRONG["a global name"]), RULE)
    assert found.message == "`A.f` uses a `StaticHashTable` that the saved `A` does not track"
    assert [(each.line, each.message) for each in found.related] == [(6, "it is created here")]
