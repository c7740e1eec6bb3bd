"""What Python does while tracing is seen by watching what runs, through wrappers, methods and arguments."""
# ruff: noqa: E501

import pytest
from tests.running import TensorFlowServer

from graphdoctor.model import Evidence
from graphdoctor.recording.format import Effect, Escape

pytestmark = pytest.mark.tensorflow

HEAD = "import functools, itertools, logging, random, time\nimport numpy as np\nimport tensorflow as tf\n"
CALLS = "\nfor _ in range(4):\n  f(tf.ones([2]))\n"

# name: program, the effects that are recorded, as (what, line)
SEEN = {
    "a timing decorator below `tf.function`": (
        "def timed(inner):\n  @functools.wraps(inner)\n  def run(*arguments):\n    start = time.perf_counter()\n"
        "    result = inner(*arguments)\n    return result, start\n  return run\n"
        "@tf.function\n@timed\ndef f(x):\n  return x * 2.0" + CALLS,
        {("clock", 7)},
    ),
    "a function wrapped by `functools.wraps`": (
        "def loud(x):\n  logging.warning(x)\n  return x\n"
        "f = functools.wraps(loud)(tf.function(loud, reduce_retracing=True))" + CALLS,
        {("log", 5)},
    ),
    "`next` of a generator on the instance": (
        "class Loader:\n  def __init__(self):\n    self.numbers = self.all()\n  def all(self):\n"
        "    yield from itertools.count()\n  @tf.function\n  def __call__(self, x):\n"
        "    return x + float(next(self.numbers))\nf = Loader()" + CALLS,
        {("next", 11)},
    ),
    "a generator of NumPy's on the instance": (
        "class Noise:\n  def __init__(self):\n    self.source = np.random.default_rng(0)\n  @tf.function\n"
        "  def __call__(self, x):\n    return x + self.source.normal()\nf = Noise()" + CALLS,
        {("random", 9)},
    ),
    "`next` of an argument": (
        "@tf.function\ndef g(numbers, x):\n  return x + next(numbers)\nf = functools.partial(g, iter([1.0, 2.0]))"
        + CALLS,
        {("next", 6)},
    ),
    "a partial of a random function": (
        "draw = functools.partial(random.uniform, 0.0, 1.0)\n@tf.function\ndef f(x):\n  return x * draw()" + CALLS,
        {("random", 7)},
    ),
    "a file and a logger": (
        "log = logging.getLogger('here')\nout = open('log.txt', 'w')\n@tf.function\ndef f(x):\n"
        "  log.warning('x is %s', x)\n  out.write('one')\n  return x" + CALLS,
        {("log", 8), ("write", 9)},
    ),
    "an outer list": (
        "kept = []\ndef keep(x):\n  kept.append(x)\n@tf.function\ndef f(x):\n  keep(x)\n  return x" + CALLS,
        {("append", 6)},
    ),
    "three things on one line": (
        "class Noisy(tf.keras.layers.Layer):\n  n = 1\n  def call(self, x):\n"
        "    self.n += 1; print('noise', np.random.normal(), self.n)\n    return x\n"
        "model = tf.keras.Sequential([Noisy()])\nfor _ in range(2):\n"
        "  model.predict(tf.ones([4, 2]), verbose=0)",
        {("attribute", 7), ("print", 7), ("random", 7)},
    ),
    "a draw that is shown and kept": (
        "kept = []\n@tf.function\ndef f(x):\n  kept.append(random.random()); print(kept)\n  return x" + CALLS,
        {("append", 7), ("print", 7), ("random", 7)},
    ),
    "a step that is counted and logged": (
        "n = 1\n@tf.function\ndef f(x):\n  global n\n  n += 1; logging.warning('step %d', n)\n  return x" + CALLS,
        {("global", 8), ("log", 8)},
    ),
    "random numbers in a layer, which is not converted": (
        "class Noisy(tf.keras.layers.Layer):\n  def call(self, x):\n    return x + np.random.normal()\n"
        "model = tf.keras.Sequential([Noisy()])\nfor _ in range(2):\n"
        "  model.predict(tf.ones([4, 2]), verbose=0)",
        {("random", 6)},
    ),
}  # fmt: skip

# Nothing here is an effect of a trace.
OWN = {
    "what the trace itself makes": (
        "@tf.function\ndef f(x):\n  source = np.random.default_rng(3)\n  numbers = iter([1.0, 2.0])\n"
        "  kept = []\n  kept.append(x)\n  return kept[0] + source.normal() + next(numbers)" + CALLS
    ),
    "what runs at each call": (
        "def noisy(x):\n  print('now')\n  return x + np.float32(random.random())\n@tf.function\ndef f(x):\n"
        "  return tf.numpy_function(noisy, [x], tf.float32)" + CALLS
    ),
    "code that is not traced": (
        "def g(x):\n  print(x)\n  return x * random.random()\n@tf.function\ndef f(x):\n  return x\n"
        "for _ in range(3):\n  f(g(tf.ones([2])))"
    ),
    "elements of a dataset": (
        "numbers = iter(tf.data.Dataset.range(9))\n@tf.function\ndef f(x):\n"
        "  return x + tf.cast(next(numbers), tf.float32)" + CALLS
    ),
    "a branch that was not taken": (
        "class Noisy(tf.keras.layers.Layer):\n  on = False\n  def call(self, x):\n    if self.on:\n"
        "      x = x + np.random.normal()\n    return x\nmodel = tf.keras.Sequential([Noisy()])\n"
        "model.predict(tf.ones([4, 2]), verbose=0)"
    ),
}  # fmt: skip

# No call of the run went without them: what is said of them is the source's, not the run's.
REPEATED = {
    "a function called once": "@tf.function\ndef f(x):\n  print('x', x)\n  return x\ndef g():\n  f(tf.ones([2]))\ng()",
    "a function traced at each call": (
        "@tf.function\ndef f(x):\n  return x * random.random()\nfor size in (1, 2):\n  f(tf.ones([size]))"
    ),
}  # fmt: skip

MEANT = {
    "a message about tracing": "@tf.function\ndef f(x):\n  print('Tracing f')\n  return x" + CALLS,
    "a message that is the same each time": "@tf.function\ndef f(x):\n  print('here')\n  return x" + CALLS,
}  # fmt: skip


@pytest.mark.parametrize("name", SEEN)
def test_effects_are_recorded_with_their_line(name: str, tensorflow: TensorFlowServer) -> None:
    program, expected = SEEN[name]
    effects = tensorflow.run(HEAD + program).recording.of(Effect)
    assert {(effect.what, effect.chain[-1].place.line) for effect in effects} == expected


@pytest.mark.parametrize("name", OWN)
def test_what_is_no_effect_is_not_recorded(name: str, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(HEAD + OWN[name])
    assert ran.error is None, ran.output
    assert ran.recording.of(Effect) == ()


@pytest.mark.parametrize("name", REPEATED)
def test_what_each_call_of_the_run_did_is_not_reported_as_seen(
    name: str, tensorflow: TensorFlowServer
) -> None:
    found = tensorflow.run(HEAD + REPEATED[name]).report.findings
    assert {finding.evidence for finding in found if finding.rule.startswith("GD2")} <= {Evidence.SOURCE}


@pytest.mark.parametrize("name", MEANT)
def test_what_is_meant_is_not_shown(name: str, tensorflow: TensorFlowServer) -> None:
    found = tensorflow.run(HEAD + MEANT[name]).report.findings
    assert not any(finding.is_shown for finding in found if finding.rule.startswith("GD2"))


@pytest.mark.parametrize("name", SEEN)
def test_the_program_does_the_same_without_us(name: str, tensorflow: TensorFlowServer) -> None:
    program = HEAD + "random.seed(1)\nnp.random.seed(1)\n" + SEEN[name][0] + "\nprint(random.random())\n"
    assert tensorflow.run(program).output == tensorflow.run(program, observe=False).output


LAYER = "class Noisy(tf.keras.layers.Layer):\n  def call(self, x):\n    {}\n    return x\nmodel = tf.keras.Sequential([Noisy()])\nfor _ in range(3):\n  model.predict(tf.ones([4, 2]), verbose=0)\n"

# What nobody hears is seen by what it leaves behind: (what, name, line, what it shows).
LEFT_BEHIND = {
    "`print` in a decorator's wrapper": (
        "def timed(inner):\n  def run(*arguments):\n    result = inner(*arguments)\n    print('took', result)\n"
        "    return result\n  return run\n@tf.function\n@timed\ndef f(x):\n  return x" + CALLS,
        {("print", "print", 7, "tensor")},
    ),
    "`print` in a function wrapped by `functools.wraps`": (
        "def loud(x):\n  print('Tracing', x)\n  return x\nf = functools.wraps(loud)(tf.function(loud))" + CALLS,
        {("print", "print", 5, "tracing")},
    ),
    "`print` in a layer": (LAYER.format("print('in the layer')"), {("print", "print", 6, "constant")}),
    "a shape that a layer prints": (LAYER.format("print(x.shape)"), {("print", "print", 6, "static")}),
    "`print` without AutoGraph": (
        "@tf.function(autograph=False)\ndef f(x):\n  print(x)\n  return x" + CALLS,
        {("print", "print", 6, "tensor")},
    ),
    "a logger in a layer": (
        "log = logging.getLogger('here')\nlogging.basicConfig()\n" + LAYER.format("log.warning('x is %s', x)"),
        {("log", "log", 8, "tensor")},
    ),
    "a number counted in a layer": (
        LAYER.format("self.seen += 1").replace("  def call", "  seen = 0\n  def call"),
        {("attribute", "self.seen", 7, "constant")},
    ),
    "a global, a dict and a list, in a layer": (
        "count, known, kept = 0, {}, []\n"
        + LAYER.format("global count; count += 1\n    known['a'] = x\n    kept.append(1)"),
        {("global", "count", 7, "constant"), ("item", "known", 8, "tensor"), ("append", "kept", 9, "constant")},
    ),
    "an attribute that a helper changes": (
        "class Model:\n  rate = 0.5\n  def lower(self):\n    self.rate *= 0.9\n  @tf.function\n  def __call__(self, x):\n"
        "    self.lower()\n    return x * self.rate\nf = Model()" + CALLS,
        {("attribute", "self.rate", 7, "constant")},
    ),
}  # fmt: skip

# Written by others, or by code that is not traced; or nothing is other than before.
NOTHING_LEFT = {
    "what code that is not traced prints": (
        "def g(x):\n  print('here')\n  return x\n@tf.function\ndef f(x):\n  return x\nfor _ in range(3):\n  f(g(tf.ones([2])))"
    ),
    "what a graph prints": "@tf.function\ndef f(x):\n  tf.print('x', x)\n  return x" + CALLS,
    "what is made once": (
        "class Model:\n  weights = None\n  @tf.function\n  def __call__(self, x):\n    if self.weights is None:\n"
        "      self.weights = tf.constant([1.0, 2.0])\n    return x\nf = Model()" + CALLS
    ),
    "what is set and set back": (
        "mode, stack = 'a', []\n@tf.function\ndef f(x):\n  global mode\n  mode = 'b'\n  stack.append(x)\n  stack.pop()\n"
        "  mode = 'a'\n  return x" + CALLS
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LEFT_BEHIND)
def test_what_nobody_hears_is_seen_by_what_it_leaves_behind(name: str, tensorflow: TensorFlowServer) -> None:
    program, expected = LEFT_BEHIND[name]
    ran = tensorflow.run(HEAD + program)
    assert (ran.error, ran.recording.problems) == (None, ()), ran.output
    effects = ran.recording.of(Effect)
    assert {(e.what, e.name, e.chain[-1].place.line, e.shows) for e in effects} == expected


@pytest.mark.parametrize("name", NOTHING_LEFT)
def test_what_leaves_nothing_behind_is_not_recorded(name: str, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(HEAD + NOTHING_LEFT[name])
    assert (ran.error, ran.recording.problems) == (None, ()), ran.output
    reported = {(effect.what, effect.name) for effect in ran.recording.of(Effect)}
    assert reported - {("append", "stack")} == set()  # that is heard when it is called


# name: program, rule, the message or its beginning, what the figures count
COUNTED = {
    "a random number": (
        "@tf.function\ndef f(x):\n  return x * random.gauss(0, 1)" + CALLS,
        ("GD208", "`random.gauss` draws once, while `f` is traced; every call uses the same value"),
    ),
    "the clock": (
        "import datetime\n@tf.function\ndef f(x):\n  return x * datetime.datetime.now().second" + CALLS,
        ("GD209", "`datetime.datetime.now()` is read once, while `f` is traced"),
    ),
    "an element": (
        "numbers = itertools.count()\n@tf.function\ndef f(x):\n  return x * float(next(numbers))" + CALLS,
        ("GD210", "`next(numbers)` takes one element while `f` is traced; every call reuses it"),
    ),
    "a file that is opened and written": (
        "@tf.function\ndef f(x):\n  with open('log.txt', 'a') as log:\n    log.write('one')\n    log.write('two')\n"
        "  return x" + CALLS,
        ("GD206", "the write ran in 1 of 4 calls: only while `f` was traced"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", COUNTED)
def test_it_is_reported_once_with_the_calls_that_went_without(
    name: str, tensorflow: TensorFlowServer
) -> None:
    program, expected = COUNTED[name]
    (found,) = tensorflow.run(HEAD + program).report.findings
    assert (found.rule, found.message) == expected
    assert found.observed is not None
    assert found.observed.calls == 3


BRANCH = (
    "import os\nmany = int(os.environ.get('MANY', '1'))\n@tf.function\ndef f(x):\n  if many > 1:\n    {}\n  return x"
    + CALLS
)
NOT_RUN = {
    "a random number": BRANCH.format("x = x * random.random()"),
    "the clock": BRANCH.format("x = x * time.time()"),
    "a file": BRANCH.format("open('log.txt', 'w').write('one')"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_RUN)
def test_what_the_run_did_not_do_is_not_reported_as_observed(name: str, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(HEAD + NOT_RUN[name])
    assert (ran.error, ran.recording.of(Effect)) == (None, ()), ran.output
    found = [finding for finding in ran.report.findings if finding.rule.startswith("GD2")]
    assert {(finding.evidence, finding.observed) for finding in found} <= {(Evidence.SOURCE, None)}


NESTED = {
    "a list in a dict": "kept = {'loss': []}\n@tf.function\ndef f(x):\n  kept['loss'].append(x * 2.0)\n  return x" + CALLS,
    "a list in an attribute": (
        "class Log:\n  def __init__(self): self.parts = {'x': []}\nlog = Log()\n@tf.function\ndef f(x):\n"
        "  log.parts['x'].append(x * 2.0)\n  return x" + CALLS
    ),
    "a list in a list": "kept = [[]]\n@tf.function\ndef f(x):\n  kept[0].append(x * 2.0)\n  return x" + CALLS,
}  # fmt: skip


@pytest.mark.parametrize("name", NESTED)
def test_a_tensor_that_is_kept_is_reported_of_what_holds_it(name: str, tensorflow: TensorFlowServer) -> None:
    found = tensorflow.run(HEAD + NESTED[name]).recording.of(Escape)
    assert [escape.state.kind for escape in found] == ["list"]


KEPT = {
    "numbers in a list": "kept = []\n@tf.function\ndef f(x):\n  kept.append(3)\n  return x" + CALLS,
    "a cache": "cache = {}\n@tf.function\ndef f(x):\n  cache.setdefault\n  cache['a'] = 3.0\n  return x" + CALLS,
    "a count in a dict": "d = {'n': 0}\n@tf.function\ndef f(x):\n  d['n'] += 1\n  return x" + CALLS,
}  # fmt: skip


@pytest.mark.parametrize("name", KEPT)
def test_what_holds_no_tensor_is_left_alone(name: str, tensorflow: TensorFlowServer) -> None:
    assert tensorflow.run(HEAD + KEPT[name]).report.findings == ()
