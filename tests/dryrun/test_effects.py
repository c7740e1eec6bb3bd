"""Programs → what Python does while they are traced; which findings that gives, and where none."""

from inspect import cleandoc

import pytest
from tests.checking import check

from graphdoctor.dryrun.recorder import record
from graphdoctor.recording.format import Calls, Effect, Escape, Stale, Use
from graphdoctor.source import parse_module

HEAD = "import functools, logging, random, time\nimport numpy as np\nimport tensorflow as tf\nimport keras\n"
FAMILY = ("GD201", "GD202", "GD203", "GD204", "GD205", "GD206", "GD207", "GD208", "GD209", "GD210", "GD211",
          "GD212", "GD214", "GD215", "GD313", "GD339")  # fmt: skip


def events(program: str, kind: type) -> list:
    """The events of one kind that the dry run of a program writes."""
    module = parse_module("program.py", HEAD + cleandoc(program) + "\n")
    return list(record(module.project, module.path).of(kind))


def found(program: str) -> list[str]:
    """The rules of the family that find something."""
    return [f.rule for rule in FAMILY for f in check(HEAD + cleandoc(program), rule)]


@pytest.mark.parametrize(
    ("call", "shows"),
    [
        ("print('tracing', y)", "tracing"),
        ("print(f'retracing for {y}')", "tracing"),
        ("print('y', y)", "array"),
        ("print(f'{y}')", "array"),
        ("print('%s' % y)", "array"),
        ("print('a' + str(y))", "array"),
        ("print([y, 1])", "array"),
        ("print('sum', tf.reduce_sum(y))", "tensor"),
        ("print([y, tf.reduce_sum(y)])", "tensor"),
        ("print('shape', tf.reduce_sum(y))", "array"),
        ("print(tf.argmax(y))", "array"),
        ("print()", "constant"),
        ("print('hello', 3)", "constant"),
        ("print(y.shape, y.dtype)", "static"),
        ("print(f'{y.shape}')", "static"),
        ("print(load())", ""),
    ],
)
def test_what_a_message_shows(call: str, shows: str) -> None:
    (effect,) = events(f"@tf.function\ndef f(x):\n  y = tf.abs(x)\n  {call}\n  return y", Effect)
    assert (effect.what, effect.shows) == ("print", shows)


ONCE = {
    "what is missing is made": "if self.a is None:\n      print(1)\n      self.a = 2",
    "it was said": "if not self.said:\n      print(1)\n      self.said = True",
    "hasattr": "if not hasattr(self, 'b'):\n      print(1)\n      self.b = 2",
    "a cache": "if 1 not in self.cache:\n      print(1)\n      self.cache[1] = 2",
    "an early return": "if 1 in self.cache: return x\n    print(1)\n    self.cache[1] = 2",
    "an error is handled": "try:\n      y = load()\n    except ValueError:\n      print(1)",
}
AGAIN = {
    "another name": "if self.a is None:\n      print(1)\n      self.b = 2",
    "it stays so": "if self.said:\n      print(1)\n      self.said = True",
    "nothing is remembered": "if 1 not in self.cache:\n      print(1)",
}
CLASS = """
class M(tf.Module):
  def __init__(self): self.a, self.cache, self.said = None, {{}}, load()
  @tf.function
  def f(self, x):
    {}
    return x
"""


@pytest.mark.parametrize(
    ("body", "once"),
    [*((body, True) for body in ONCE.values()), *((body, False) for body in AGAIN.values())],
    ids=[*ONCE, *AGAIN],
)
def test_what_python_would_do_once_as_well(body: str, once: bool) -> None:
    prints = [effect for effect in events(CLASS.format(body), Effect) if effect.what == "print"]
    assert [effect.once for effect in prints] == [once]


def test_what_is_traced_while_an_object_is_set_up_is_called_later() -> None:
    """`build` and `__init__` run once; the function of a pipeline that they make runs for each element."""
    for name, once in (("build", False), ("__init__", False)):
        pipeline = f"""
            class Pipeline:
              def augment(self, x): return x * random.random()
              def {name}(self):
                self.data = tf.data.Dataset.range(9).map(self.augment)
            Pipeline().build()
            """
        assert [effect.once for effect in events(pipeline, Effect)] == [once]


def test_a_layer_that_is_built_while_tracing_does_so_once() -> None:
    layer = """
        class Noisy(keras.layers.Layer):
          def build(self, shape): self.scale = random.random()
          def call(self, x):
            self.build(x.shape)
            return x * self.scale
        noisy = Noisy()
        @tf.function
        def f(x): return noisy(x)
        f(tf.ones(3)); f(tf.ones(3))
        """
    assert {effect.once for effect in events(layer, Effect) if effect.what == "random"} == {True}


def test_a_function_that_the_program_calls_once_is_known() -> None:
    program = "@tf.function\ndef f(x): return x\n@tf.function\ndef g(x): return x\nf(tf.ones([2]))\n{}"
    assert [c.function.name for c in events(program.format("g(1)\ng(1)"), Calls)] == ["f"]
    assert [c.function.name for c in events(program.format("for i in range(3): g(i)"), Calls)] == ["f"]


@pytest.mark.parametrize(
    ("use", "into"),
    [
        ("tf.print(f'{y}')", "tensorflow.print"),
        ("t = 'a' + str(y)\n  tf.constant(t)", "tensorflow.constant"),
        ("return '%s' % y", "result"),
        ("d = {}\n  d[f'{y}'] = 1", "key"),
        ("print(f'{y}')", ""),
        ("tf.abs(y, name=f'{y}')", ""),
        ("raise ValueError(f'{y}')", ""),
    ],
)
def test_where_a_text_with_a_tensor_goes(use: str, into: str) -> None:
    (text,) = events(f"@tf.function\ndef f(x):\n  y = tf.abs(x)\n  {use}", Use)
    assert (text.how, text.into) == ("text", into)


KEPT = """
class M(tf.Module):
  def __init__(self): self.h, self.n = None, 0
  @tf.function
  def f(self, x):
    self.h = tf.abs(x)
    return x
  def g(self): {}
m = M()
m.f(tf.ones([2]))
"""


def test_who_reads_what_a_trace_left() -> None:
    (read,) = events(KEPT.format("return self.h"), Escape)
    assert (read.state.holder, read.used.line) == ("`M.h`", 11)
    (unread,) = events(KEPT.format("pass"), Escape)
    assert unread.used is None


STALE = {
    "a global": ("rate = 1.0", "rate", "rate = 2.0"),
    "a tuple": ("rates = (1.0, 2.0)", "rates[0]", "rates = (3.0, 2.0)"),
    "an item": ("d = {'rate': 1.0}", "d['rate']", "d['rate'] = 2.0"),
    "a list": ("rates = [1.0]", "rates[0]", "rates[0] = 2.0"),
    "a tensor": ("w = tf.ones([2])", "w", "w = w * 2.0"),
    "a namespace": ("import types\nc = types.SimpleNamespace(rate=1.0)", "c.rate", "c.rate = 2.0"),
    "another object": ("class C:\n  def __init__(s, r): s.rate = r\nc = C(1.0)", "c.rate", "c = C(2.0)"),
    "a class": ("class C: rate = 1.0", "C.rate", "C.rate = 2.0"),
    "setattr": ("class C: rate = 1.0\nc = C()", "c.rate", "setattr(c, 'rate', 2.0)"),
    "a setter": (
        "class C:\n  def __init__(s): s.rate = 1.0\n  def put(s, r): s.rate = r\nc = C()",
        "c.rate",
        "c.put(2.0)",
    ),
}


@pytest.mark.parametrize(("start", "read", "change"), STALE.values(), ids=STALE)
def test_state_that_changed_after_the_trace(start: str, read: str, change: str) -> None:
    program = f"{start}\n@tf.function\ndef f(x): return x * {read}\nx = tf.ones([2])\n"
    assert len(events(program + f"f(x)\n{change}\nf(x)", Stale)) == 1
    assert events(program + f"{change}\nf(x)\nf(x)", Stale) == []
    assert events(program + f"f(x)\n{change}", Stale) == []
    assert events(program + f"f(x)\n{change}\nf(tf.ones([3]))", Stale) == []


VARIANTS = {
    "a decorator of one's own": (
        "def graph(f): return functools.wraps(f)(tf.function(f))\n"
        "@graph\ndef f(x): return x + random.random()\nfor _ in range(3): f(tf.ones([2]))",
        ["GD208"],
    ),
    "a method wrapped in __init__": (
        "class T:\n  def __init__(self):\n    self.rng = np.random.default_rng(0)\n"
        "    self.step = tf.function(self._step)\n"
        "  def _step(self, x): return x + self.rng.normal(size=[2])\n"
        "  def fit(self):\n    for _ in range(3): self.step(tf.ones([2]))\nT().fit()",
        ["GD208"],
    ),
    "a timer below tf.function": (
        "def timed(f):\n  def inner(*a, **k):\n    t = time.time()\n    return f(*a, **k) + t\n"
        "  return inner\n"
        "@tf.function\n@timed\ndef f(x): return x\nfor _ in range(3): f(tf.ones([2]))",
        ["GD209"],
    ),
    "an iterator as argument": (
        "def g():\n  while True: yield 1.0\nit = g()\n@tf.function\ndef f(it): return next(it)\nf(it)\nf(it)",
        ["GD210"],
    ),
    "a list in a dict of the instance": (
        "log = logging.getLogger(__name__)\n"
        "class T:\n  def __init__(self): self.history = {'loss': []}\n  @tf.function\n"
        "  def step(self, x):\n    self.history['loss'].append(tf.reduce_sum(x))\n"
        "    log.info('loss %s', tf.reduce_sum(x))\n    return x\n"
        "t = T()\nfor _ in range(3): t.step(tf.ones([2]))\nprint(t.history)",
        ["GD202", "GD207"],
    ),
    "a helper that changes the argument": (
        "def fill(d):\n  d['m'] = 1\n  return d\n@tf.function\ndef f(batch): return fill(batch)['x']\n"
        "f({'x': tf.ones([2])})",
        ["GD205"],
    ),
    "a pipeline": (
        "class P:\n  def __init__(self): self.s = 0.0\n"
        "  def up(self, x): return tf.cast(x, tf.float32) * self.s\n"
        "p = P()\nds = tf.data.Dataset.range(3).map(p.up)\n"
        "for e in range(3):\n  p.s = e * 0.1\n  for b in ds: print(b)",
        ["GD215"],
    ),
    "a callback": (
        "class N(keras.Model):\n  def __init__(self):\n    super().__init__()\n    self.beta = 0.0\n"
        "  def train_step(self, data): return {'loss': tf.reduce_mean(data[0]) * self.beta}\n"
        "class C(keras.callbacks.Callback):\n"
        "  def on_epoch_begin(self, epoch, logs=None): self.model.beta = 0.5 * epoch\n"
        "n = N()\nn.compile('sgd')\nn.fit(tf.ones([4, 2]), tf.ones([4, 1]), epochs=3, callbacks=[C()])",
        ["GD215"],
    ),
    "branches of a switch": (
        "@tf.function\ndef f(n, x): return tf.switch_case(n, [lambda: x * i for i in range(3)])\n"
        "f(tf.constant(1), tf.ones([2]))",
        ["GD313"],
    ),
    "a layer that draws": (
        "class L(keras.layers.Layer):\n  def call(self, x, training=None):\n"
        "    return x + random.random() if training else x\n"
        "m = keras.Sequential([L()])\nm.compile('sgd', 'mse')\nm.fit(tf.ones([4, 2]), tf.ones([4, 2]))",
        ["GD208"],
    ),
}


@pytest.mark.parametrize(("program", "rules"), VARIANTS.values(), ids=VARIANTS)
def test_the_same_in_other_variants(program: str, rules: list[str]) -> None:
    assert found(program) == rules


CLEAN = {
    "Keras draws in the graph": (
        "from tensorflow.keras import backend as K\n"
        "@tf.function\ndef f(x): return x + K.random_uniform([2])\n"
        "for _ in range(3): f(tf.ones([2]))"
    ),
    "a function that is called once": "@tf.function\ndef f(x): return x + random.random()\nf(tf.ones([2]))",
    "a generator made of a seed": (
        "@tf.function\ndef f(x): return x + np.random.RandomState(0).rand()\nf(1.0)\nf(1.0)"
    ),
    "a memory": (
        "@functools.lru_cache()\ndef t(n): return np.random.rand(n)\n"
        "@tf.function\ndef f(x): return x + t(2)\nf(tf.ones([2]))\nf(tf.ones([2]))"
    ),
    "an attribute that other code of the trace reads": (
        "class M(tf.Module):\n  def g(self, x): self.kl = tf.abs(x)\n  @tf.function\n"
        "  def f(self, x):\n    self.g(x)\n    return self.kl\nm = M()\nm.f(tf.ones([2]))\nm.f(tf.ones([2]))"
    ),
    "a dict that a pipeline made": (
        "def prep(d):\n  d['c'] = d['a']\n  return d\n"
        "for e in tf.data.Dataset.from_tensors({'a': tf.ones([1])}).map(prep): print(e)"
    ),
    "keywords that Python packs": (
        "@tf.function\ndef f(x, **options):\n  options.pop('a', None)\n  return x\nf(1.0, a=1)\nf(1.0, a=1)"
    ),
    "a closure made again": (
        "def make(r):\n  @tf.function\n  def s(x): return x * r\n  return s\n"
        "for r in (0.1, 0.2):\n  s = make(r)\n  s(tf.ones([1]))\n  s(tf.ones([1]))"
    ),
    "values bound in the loop": (
        "@tf.function\ndef f(n, x): return tf.switch_case(n, [lambda i=i: x * i for i in range(3)])\n"
        "f(tf.constant(1), tf.ones([2]))"
    ),
    "state that a TensorFlow loop itself sets": (
        "class M(tf.Module):\n  @tf.function\n  def f(self, x):\n    self.m = tf.zeros([2])\n"
        "    for v in x: self.m = 0.9 * self.m + v\n    return self.m\nM().f(tf.ones([3, 2]))"
    ),
    "state that a method sets at each iteration of a Python loop": (
        "class M(tf.Module):\n  def g(self, v): self.m = 0.9 * self.m + v\n  @tf.function\n"
        "  def f(self, x):\n    self.m = tf.zeros([2])\n    for i in range(3): self.g(x[i])\n"
        "    return self.m\nM().f(tf.ones([3, 2]))"
    ),
    "weights kept in a list": (
        "class L(keras.layers.Layer):\n  def build(self, shape):\n    self.ws = []\n"
        "    for i in range(2): self.ws.append(self.add_weight(shape=(2, 2)))\n"
        "  def call(self, x): return tf.matmul(x, self.ws[0])\n"
        "m = keras.Sequential([L()])\nm.compile('sgd', 'mse')\nm.fit(tf.ones([4, 2]), tf.ones([4, 2]))"
    ),
}


@pytest.mark.parametrize("program", CLEAN.values(), ids=CLEAN)
def test_what_is_right_stays_silent(program: str) -> None:
    assert found(program) == []


HIDDEN = {
    "a method": (
        "class M(tf.Module):\n  def g(self, v):\n    self.m = 0.9 * self.m + v\n    return self.m\n"
        "  @tf.function\n  def f(self, x):\n    self.m, y = tf.zeros([2]), tf.zeros([2])\n"
        "    for v in x: y = y + self.g(v)\n    return y\nM().f(tf.ones([3, 2]))"
    ),
    "a function inside": (
        "@tf.function\ndef f(x):\n  total = tf.zeros([2])\n"
        "  def add(v):\n    nonlocal total\n    total += v\n"
        "  for v in x: add(v)\n  return total\nf(tf.ones([3, 2]))"
    ),
}


@pytest.mark.parametrize("program", HIDDEN.values(), ids=HIDDEN)
def test_what_a_call_computes_between_iterations_is_not_carried(program: str) -> None:
    (finding,) = check(HEAD + program, "GD212")
    assert "each iteration of the loop starts with the value from before" in finding.message
