"""GD102: must not fire, must fire, and when hoisting is refused."""

import pytest
from tests.checking import check, fixed
from tests.making import judged, make_trace, tensor

from graphdoctor.model import Level, Safety, Severity

RULE = "GD102"
HEAD = "import tensorflow as tf\n"
REMEMBERED = (
    "import functools\n@functools.lru_cache(maxsize=None)\ndef make(order):\n"
    "  return tf.function(lambda x: x * 2.0 if order == 2 else x)\n"
)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("@tf.function\ndef f(x): return x\nfor i in range(9): f(x)", id="made once"),
        pytest.param("steps = [tf.function(m.step) for m in models]", id="one per model"),
        pytest.param(
            "for m in models:\n  @tf.function\n  def f(x): return m(x)\n  steps.append(f)",
            id="kept in a list",
        ),
        pytest.param(
            "def make(model):\n  @tf.function\n  def f(x): return model(x)\n  return f\n"
            "for m in models: make(m)",
            id="a factory",
        ),
        pytest.param(
            "class T:\n  def __init__(self):\n    self.f = tf.function(self.g)\n  def g(self, x): return x",
            id="kept on self",
        ),
        pytest.param(
            "def main():\n  @tf.function\n  def f(x): return x\n  for i in range(9): f(x)\nmain()",
            id="inner function of a main that runs once",
        ),
        pytest.param("def g(x): return x\ntf.function(g)(x)", id="called once"),
        pytest.param("for m in models:\n  tf.function(m)(x)", id="who knows what m is"),
        pytest.param(
            "for i in range(3):\n  class A:\n    @tf.function\n    def f(self): pass", id="a method"
        ),
        *(
            pytest.param(f"def g(x): return x\nf = None\nfor i in range(9):\n{body}", id=name)
            for name, body in {
                "other options at each iteration": "  f = tf.function(g, jit_compile=bool(i))\n  f(x)",
                "made at the first iteration": "  if f is None:\n    f = tf.function(g)\n  f(x)",
                "left at the first iteration": "  f = tf.function(g)\n  f(x)\n  break",
                "of a new function": "  def g(x): return x * i\n  f = tf.function(g)\n  steps.append(f)",
            }.items()
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(HEAD + program, RULE) == []


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("for i in range(9):\n  @tf.function\n  def f(x): return x\n  f(i)", 3),
        ("while True:\n  @tf.function(jit_compile=True)\n  def f(x): return x\n  f(1)", 3),
        ("def g(x): return x\nfor i in range(9): tf.function(g)(i)", 3),
        ("def g(x): return x\ndef step(x): return tf.function(g)(x)\nfor i in range(9): step(i)", 3),
        ("for i in range(9): tf.function(lambda x: x)(i)", 2),
        ("def g(x): return x\nfor i in range(9):\n  f = tf.function(g)\n  for x in data: f(x)", 4),
        (
            "class T:\n  def g(self, x): return x\n  def fit(self):\n    while self.more():\n"
            "      f = tf.function(self.g)\n      f(x)",
            6,
        ),
        ("def step(x):\n  @tf.function\n  def f(x): return x\n  return f(x)\nfor i in range(9): step(i)", 3),
    ],
)
def test_must_fire(program: str, line: int) -> None:
    assert [finding.line for finding in check(HEAD + program, RULE)] == [line]


KEPT = """
import itertools, random
class Steps:
    def __init__(self): self.made = {{}}
    def step(self, x): return x + 1
    def get(self, name):
        if name not in self.made:
            self.made[name] = tf.function(self.step)
        return self.made[name]
steps = Steps()
for item in {steps}:
    steps.get({name})(tf.ones([2]))
"""


@pytest.mark.parametrize(
    ("steps", "name"),
    [
        ("itertools.islice(itertools.cycle(['a', 'b']), 20)", "item"),
        ("range(9)", "random.choice(['a', 'b'])"),
        ("range(9)", "random.choices(['a', 'b'])[0]"),
        ("range(9)", "['a', 'b'][item % 2]"),
        ("['a', 'b']", "item"),
    ],
)
def test_must_not_fire_on_what_is_kept_under_a_few_names(steps: str, name: str) -> None:
    assert check(HEAD + KEPT.format(steps=steps, name=name), RULE) == []


@pytest.mark.parametrize("steps", ["range(9)", "range(6)"])
def test_what_is_kept_under_a_new_name_at_each_iteration_is_found(steps: str) -> None:
    assert len(check(HEAD + KEPT.format(steps=steps, name="item"), RULE)) == 1


REMADE = """
class Head:
    def __init__(self):
        self.t = 1.0
        self.remake()
    def remake(self):
        t = self.t
        @tf.function
        def fn(x): return x * t
        self.fn = fn
    def set(self, t):
        if {test}:
            self.t = t
            self.remake()
head = Head()
for t in (1.0, 1.0, 1.0, 2.0, 2.0):
    head.set(t)
    head.fn(tf.ones([2]))
"""
OF_A_CLASS = """
class Scaled:
    def __init__(self): self.scale, self.made = 1.0, {}
    def body(self, x): return x * self.scale
    @property
    def f(self):
        if self.scale not in self.made: self.made[self.scale] = tf.function(self.body)
        return self.made[self.scale]
scaled = Scaled()
for k in range(4):
    scaled.scale = float(k % 2)
    scaled.f(tf.ones([]))
"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(REMADE.format(test="t != self.t"), id="when a value is another one"),
        pytest.param(OF_A_CLASS, id="by a property, for each value"),
        pytest.param(
            "made = {}\nfor k in ('a', 'b', 'a'):\n"
            "  f = made.get(k) or made.setdefault(k, tf.function(lambda x: x * 2))\n  f(tf.ones([2]))",
            id="for each key",
        ),
        pytest.param(
            "def steps():\n  f = tf.function(lambda x: x * 2)\n  while True: yield f\n"
            "steps = steps()\nfor k in range(9): next(steps)(tf.ones([2]))",
            id="by a generator, before it yields",
        ),
    ],
)
def test_must_not_fire_on_what_is_made_when_it_is_needed(program: str) -> None:
    assert check(HEAD + program, RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(REMADE.format(test="t > 0"), id="whatever the value is"),
        pytest.param(
            "for k in ('a', 'b', 'a', 'b', 'a'):\n  made = {}\n"
            "  f = made.get(k) or made.setdefault(k, tf.function(lambda x: x * 2))\n  f(tf.ones([2]))",
            id="in a dict of this iteration",
        ),
        pytest.param(
            "def steps():\n  while True: yield tf.function(lambda x: x * 2)\n"
            "steps = steps()\nfor k in range(9): next(steps)(tf.ones([2]))",
            id="by a generator, each time",
        ),
    ],
)
def test_must_fire_on_what_is_made_again_all_the_same(program: str) -> None:
    assert check(HEAD + program, RULE)


def test_hoisting_is_refused_when_the_function_uses_the_loop() -> None:
    program = HEAD + "for i in range(9):\n  @tf.function\n  def f(x): return x + i\n  f(1)"
    (finding,) = check(program, RULE)
    assert finding.fix is not None
    assert (finding.fix.safety, finding.fix.edits) == (Safety.MANUAL, ())


@pytest.mark.parametrize(
    "program",
    ["  f = tf.function(g)\n  f(x)\nf(y)", "  f = tf.function(g)\n  f(x)\n  register(f)"],
    ids=["used after the loop", "handed on"],
)
def test_what_others_use_too_is_found_but_not_moved(program: str) -> None:
    (finding,) = check(HEAD + "def g(x): return x\nfor i in range(9):\n" + program, RULE)
    assert finding.fix is not None
    assert (finding.line, finding.fix.safety) == (4, Safety.MANUAL)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            "for m in models:\n  @tf.function\n  def f(x): return m(x)\n  for x in data: f(x)",
            id="a step for each model that is unknown",
        ),
        pytest.param(
            "def build():\n  @tf.function\n  def step(model, x): return model(x)\n  return step\n"
            "for i in range(9):\n  model, step = tf.keras.Sequential([tf.keras.layers.Dense(1)]), build()\n"
            "  for _ in range(99): step(model, tf.ones([2, 3]))",
            id="a step that is given the model of its iteration",
        ),
        pytest.param(
            "def make(model):\n  @tf.function\n  def f(x): return model(x)\n  return f\n"
            "for m in models:\n  step = make(m)\n  for x in data: step(x)",
            id="a step for each model, from a factory",
        ),
        pytest.param(
            "for width in (1, 2, 3, 4, 5):\n  model = tf.keras.Sequential([tf.keras.layers.Dense(width)])\n"
            "  @tf.function\n  def f(x): return model(x)\n  for x in data: f(x)",
            id="a step for each model that the loop builds",
        ),
        pytest.param(
            "class Trainer:\n  def __init__(self): self.model = tf.keras.layers.Dense(1)\n"
            "  @tf.function\n  def step(self, x): return self.model(x)\n"
            "  def train(self):\n    for x in data: self.step(x)\n"
            "for fold in range(5): Trainer().train()",
            id="a trainer for each fold",
        ),
        pytest.param(
            "class Net(tf.keras.Model):\n  def __init__(self):\n    super().__init__()\n"
            "    self.d = tf.keras.layers.Dense(1)\n    self(tf.ones([1, 2]))\n"
            "  @tf.function\n  def call(self, x): return self.d(x)\nnets = [Net() for _ in range(9)]",
            id="an ensemble whose members build themselves",
        ),
        pytest.param(
            "class T:\n  fast = None\n  def g(self, x): return x\n  def run(self, x):\n"
            "    if self.fast is None: self.fast = tf.function(self.g)\n    return self.fast(x)\n"
            "t = T()\nfor i in range(9): t.run(tf.ones([2]))",
            id="made when first needed",
        ),
        pytest.param(
            "import functools\n@functools.lru_cache\ndef make():\n  return tf.function(lambda x: x)\n"
            "for i in range(9): make()(tf.ones([2]))",
            id="a factory that remembers",
        ),
        pytest.param(
            f"{REMEMBERED}for i in range(40): make(2 + i % 2)(tf.ones([2]))",
            id="a factory that remembers one for each of a few keys",
        ),
        pytest.param(
            f"{REMEMBERED}for i in range(4): make(2 + i % 2)(tf.ones([2]))",
            id="a factory that remembers, in a loop of few iterations",
        ),
        pytest.param(
            f"{REMEMBERED}for i in range(40): make(('mean', 'max')[i % 2])(tf.ones([2]))",
            id="a factory that remembers one for each name",
        ),
        pytest.param(
            "import functools\nclass Net:\n  @functools.lru_cache\n  def make(self, order):\n"
            "    return tf.function(lambda x: x ** order)\n"
            "net = Net()\nfor i in range(40): net.make(2 + i % 2)(tf.ones([2]))",
            id="a method that remembers one for each of a few keys",
        ),
        pytest.param(
            "import functools\nclass Mode:\n  def __init__(self, order): self.order = order\n"
            "  @tf.function\n  def power(self, x): return x ** self.order\n"
            "@functools.lru_cache(None)\ndef made(order): return Mode(order)\n"
            "for i in range(40): made(2 + i % 2).power(tf.ones([2]))",
            id="an object that is remembered for each of a few keys",
        ),
        pytest.param(
            "@tf.function\ndef outer(x):\n  for i in range(9):\n    x = tf.function(lambda y: y + 1.0)(x)\n"
            "  return x\nouter(tf.ones([2]))",
            id="made while tracing",
        ),
    ],
)
def test_must_not_fire_on_what_belongs_to_its_iteration(program: str) -> None:
    assert check(HEAD + program, RULE) == []


@pytest.mark.parametrize(
    ("program", "line"),
    [
        (
            "def graph(f): return tf.function(f)\nfor i in range(9):\n  @graph\n  def f(x): return x\n  f(1)",
            4,
        ),
        (
            "class T:\n  def g(self, x): return x\n  @property\n"
            "  def step(self): return tf.function(self.g)\nt = T()\nfor i in range(9): t.step(tf.ones([2]))",
            5,
        ),
        (
            "class T:\n  @tf.function\n  def g(self, x): return x\n"
            "for i in range(9):\n  t = T()\n  t.g(tf.ones([2]))",
            6,
        ),
        (
            "def make(k):\n  return tf.function(lambda x: x * k)\nfor i in range(9): make(2.0)(tf.ones([2]))",
            3,
        ),
        ("def g(x): return x\nwhile True:\n  fast = tf.function(g)\n  fast(tf.ones([2]))", 4),
    ],
)
def test_must_fire_in_other_variants(program: str, line: int) -> None:
    assert [finding.line for finding in check(HEAD + program, RULE)] == [line]


def test_a_function_for_each_variable_has_low_confidence() -> None:
    program = (
        "for i in range(9):\n  w = tf.Variable(1.0)\n  @tf.function\n  def f(x): return x * w\n"
        "  f(tf.ones([2]))"
    )
    assert [finding.confidence.level for finding in check(HEAD + program, RULE)] == [Level.LOW]


def test_hoisting_keeps_comments_and_indentation() -> None:
    program = """
        import tensorflow as tf


        def main(batches):
            for batch in batches:  # all of them
                @tf.function  # graph
                def double(x):
                    # twice
                    return x + x

                double(batch)
        """
    assert fixed(program, RULE).split("def main")[1] == (
        "(batches):\n"
        "    @tf.function  # graph\n"
        "    def double(x):\n"
        "        # twice\n"
        "        return x + x\n"
        "\n"
        "    for batch in batches:  # all of them\n"
        "\n"
        "        double(batch)\n"
    )


def objects(count: int, **changes: object) -> list:
    return [make_trace(tensor("x", 3), object=n, **changes) for n in range(1, count + 1)]


@pytest.mark.parametrize(
    ("count", "calls"), [(2, 2), (5, 500)], ids=["two objects", "each called a hundred times"]
)
def test_a_run_with_one_function_per_model_is_fine(count: int, calls: int) -> None:
    assert judged(RULE, *objects(count), calls=calls) == []


def test_a_run_counts_the_objects() -> None:
    (finding,) = judged(RULE, *objects(5), calls=5)
    assert finding.message == "`step` was wrapped in `tf.function` 5 times and traced each time (2.0 s)"


def test_an_assignment_moves_with_its_comment() -> None:
    program = """
        import tensorflow as tf

        def step(x):
            return x * 2

        for epoch in range(5):
            print(epoch)
            fast = tf.function(step)  # faster
            for x in data:
                fast(x)
        """
    assert fixed(program, RULE).endswith(
        "fast = tf.function(step)  # faster\nfor epoch in range(5):\n    print(epoch)\n    for x in data:\n"
        "        fast(x)\n"
    )


RUNNER = """
import keras
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
class Runner:
    def __init__(self, model, extra=None):
        self.model, self.extra, self.seen = model, extra, keras.metrics.Mean()
        self.compiled = tf.function(self.step)
    def step(self, x):
        return self.forward(x){more}
    def forward(self, x): return self.model(x)
    def __call__(self, x): self.seen.update_state(self.compiled(x))
for epoch in range(9):
    {item}
"""
OWN_MODEL = "keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])"


@pytest.mark.parametrize(
    ("iteration", "more"),
    [
        pytest.param(f"Runner({OWN_MODEL})(tf.ones([4, 3]))", "", id="a model for each iteration"),
        pytest.param("Runner(load(epoch))(tf.ones([4, 3]))", "", id="a model that is unknown"),
        pytest.param("Runner(model)(tf.ones([4, 3]))", " + self.seen.result()", id="reads its own metric"),
        pytest.param("Runner(model)(tf.ones([4, 3]))", " + help(self)", id="hands itself on"),
        pytest.param("Runner(model)(tf.ones([4, 3]))", " + made_in(self.extra)", id="what is yet to come"),
        pytest.param("Runner(model)(tf.ones([4, 3]))", " + self.bias", id="what is not there yet"),
        pytest.param(
            "Runner(model, tf.Variable(1.0))(tf.ones([4, 3]))",
            " + self.extra",
            id="a variable of the iteration",
        ),
    ],
)
def test_objects_that_work_on_what_their_iteration_made_are_silent(iteration: str, more: str) -> None:
    found = check(HEAD + RUNNER.format(item=iteration, more=more), RULE)
    assert [each for each in found if each.is_shown] == []


@pytest.mark.parametrize("extra", ["", ", tf.Variable(1.0)", ", []", ", epoch"])
def test_an_object_for_each_iteration_that_works_on_what_was_there_before_is_found(extra: str) -> None:
    program = RUNNER.format(item=f"Runner(model{extra})(tf.ones([4, 3]))", more="")
    assert [each.line for each in check(HEAD + program, RULE)] == [8]


def test_a_decorated_method_of_such_an_object_is_found() -> None:
    program = RUNNER.format(item="Runner(model)(tf.ones([4, 3]))", more="")
    program = program.replace("    def step", "    @tf.function\n    def step").replace(
        "tf.function(self.step)", "self.step"
    )
    assert [each.severity for each in check(HEAD + program, RULE)] == [Severity.SLOW]


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            f"{REMEMBERED}for i in range(40): make(i)(tf.ones([2]))", id="another key at each iteration"
        ),
        pytest.param(
            REMEMBERED.replace("None", "1") + "for i in range(40): make(2 + i % 2)(tf.ones([2]))",
            id="no room for two",
        ),
    ],
)
def test_a_memory_that_never_helps_is_reported(program: str) -> None:
    assert len(check(HEAD + program, RULE)) == 1
