"""GD202: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

from graphdoctor.model import Level, Severity

RULE = "GD202"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                items = []
                items.append(tf.abs(x))
                return items
            """,
            id="a list of its own",
        ),
        pytest.param(
            """
            log = []
            def f(x):
                log.append(tf.abs(x))
            """,
            id="not traced",
        ),
        pytest.param(
            """
            log = []
            @tf.function
            def f(x):
                log.append('traced')
                return x
            """,
            id="no tensor",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                items = []
                def add(v):
                    items.append(tf.abs(v))
                add(x)
                return items
            """,
            id="a list of the traced function around",
        ),
        pytest.param(
            """
            log = []
            log = make()
            @tf.function
            def f(x):
                log.append(tf.abs(x))
            """,
            id="rebound, so not certain",
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(HEAD + cleandoc(program), RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            log = []
            @tf.function
            def f(x):
                log.append(tf.abs(x))
                return x
            """,
            id="append",
        ),
        pytest.param(
            """
            cache = {}
            @tf.function
            def f(x):
                cache['x'] = tf.abs(x)
                return x
            """,
            id="dict entry",
        ),
        pytest.param(
            """
            log = []
            def keep(x):
                log.append(tf.abs(x))
            @tf.function
            def f(x):
                keep(x)
                return x
            """,
            id="through a helper",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


UNREAD = {
    "a list that nothing reads": "log = []\n@tf.function\ndef f(x):\n  log.append(tf.abs(x))\n"
    "  return x\nf(tf.ones(2))",
    "a dict that nothing reads": "seen = {}\n@tf.function\ndef f(x):\n  seen['x'] = tf.abs(x)\n"
    "  return x\nf(tf.ones(2))",
    "read by the trace that fills it": "seen = {}\n@tf.function\ndef f(x):\n  seen['x'] = tf.abs(x)\n"
    "  return seen['x'] + 1\nf(tf.ones(2))",
    "an attribute by another name": """
class Net(tf.Module):
    def __init__(self):
        self.features = {"a": None, "b": None}

    def __call__(self, x):
        found = self.features
        found["a"] = tf.abs(x)
        found["b"] = found["a"] + 1
        return [found[name] for name in self.features]

net = Net()

@tf.function
def step(x):
    return tf.add_n(net(x))

for _ in range(3):
    step(tf.ones([2]))
""",
    "set before it is read, at each call": """
class Net(tf.Module):
    def __init__(self, names):
        self.found = {}
        self.names = names

    @tf.function
    def step(self, x):
        for name in self.names:
            self.found[name + "_used"] = False
            for other in self.names:
                self.found[name + "_used"] = tf.logical_or(self.found[name + "_used"], tf.size(x) > 0)
        return x

net = Net(settings.names)
for n in range(3):
    net.step(tf.ones([n + 1]))
""",
}


@pytest.mark.parametrize("program", UNREAD.values(), ids=UNREAD)
def test_what_nothing_reads_outside_has_low_confidence(program: str) -> None:
    assert {finding.confidence.level for finding in check(HEAD + program, RULE)} <= {Level.LOW}


READ = {
    "at the end": "log = []\n@tf.function\ndef f(x):\n  log.append(tf.abs(x))\n"
    "  return x\nf(tf.ones(2))\nprint(log)",
    "by another function": "log = []\n@tf.function\ndef f(x):\n  log.append(tf.abs(x))\n  return x\n"
    "def mean():\n  return sum(log) / len(log)",
    "by the trace, too": "log = []\n@tf.function\ndef f(x):\n  log.append(tf.abs(x))\n  return log[-1]\n"
    "f(tf.ones(2))\nprint(len(log))",
    "emptied, filled by the trace, read": "log = []\n@tf.function\ndef f(x):\n  log.append(tf.abs(x))\n"
    "  return x\ndef epoch():\n  global log\n  log = []\n  f(tf.ones(2))\n  return len(log)\n"
    "epoch()\nprint(log)",
    "returned": "def make():\n  log = []\n  @tf.function\n  def f(x):\n    log.append(tf.abs(x))\n"
    "    return x\n  return f, log\nf, log = make()\nf(tf.ones(2))",
}


@pytest.mark.parametrize("program", READ.values(), ids=READ)
def test_what_is_read_outside_is_wrong(program: str) -> None:
    assert {finding.severity for finding in check(HEAD + program, RULE)} == {Severity.WRONG}


TRAINER = """
class Trainer(tf.Module):
    def __init__(self):
        self.losses = []

    @tf.function
    def step(self, x):
        loss = tf.reduce_sum(x)
        self.losses.append(loss)
        return loss

    def fit(self, data):
        for x in data:
            self.step(x)
        return len(self.losses)
"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(TRAINER.replace("    @tf.function\n", ""), id="not traced"),
        pytest.param(TRAINER.replace("        loss =", "        self.losses = []\n        loss ="), id="new"),
        pytest.param(
            TRAINER.replace("        loss =", "        self.losses.clear()\n        loss ="), id="emptied"
        ),
        pytest.param(TRAINER.replace("return loss", "return tf.add_n(self.losses)"), id="read while tracing"),
        pytest.param(TRAINER.replace("return len(self.losses)", "pass"), id="nobody reads it"),
        pytest.param(TRAINER.replace("append(loss)", "append(x.shape)"), id="no tensor"),
        pytest.param(TRAINER.replace("= []", "= make()"), id="not known to be a list"),
        pytest.param(TRAINER.replace("    def fit", "    @tf.function\n    def fit"), id="read in a trace"),
    ],
)
def test_must_not_fire_on_an_attribute(program: str) -> None:
    assert check(HEAD + program, RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(TRAINER, id="read by its caller"),
        pytest.param(
            TRAINER.replace("len(self.losses)", "1") + "trainer = Trainer()\nprint(trainer.losses)\n",
            id="read at the top",
        ),
        pytest.param(
            TRAINER.replace("= []", "= {}").replace("append(loss)", "setdefault(1, loss)"), id="a dict"
        ),
    ],
)
def test_a_list_of_the_instance_is_filled(program: str) -> None:
    (finding,) = check(HEAD + program, RULE)
    assert finding.message == (
        "`self.losses` is changed only while `Trainer.step` is traced, and gets a symbolic tensor"
    )


def test_a_dict_that_the_trace_and_others_read() -> None:
    program = """
class Average:
    def __init__(self, weights):
        self.weights = weights
        self.shadow = {w.name: tf.identity(w) for w in weights}

    def update(self):
        for w in self.weights:
            old = self.shadow[w.name]
            self.shadow[w.name] = 0.9 * old + 0.1 * w

    def copy(self):
        return [self.shadow[w.name] for w in self.weights]

average = Average([tf.Variable(1.0), tf.Variable(2.0)])
step = tf.function(average.update)
for _ in range(3):
    step()
average.copy()
"""
    assert [finding.severity for finding in check(HEAD + program, RULE)] == [Severity.WRONG]


COUNTED = """
import collections
steps = collections.Counter()
@tf.function
def step(x):
    steps["train"] += 1
    return x * 2
for _ in range(5):
    step(tf.ones([2]))
print(steps["train"])
"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(COUNTED.replace("@tf.function\n", ""), id="not traced"),
        pytest.param(COUNTED.replace("steps", "traces"), id="traces are counted"),
        pytest.param(COUNTED.replace("print(", "print('traced', "), id="traces are reported"),
        pytest.param(COUNTED.replace('print(steps["train"])', "pass"), id="nobody reads it"),
        pytest.param(COUNTED.replace("+= 1", "= 1"), id="a mark"),
        pytest.param(COUNTED.replace("for _ in range(5):\n    step", "step"), id="one call"),
    ],
)
def test_counts_that_are_left_alone(program: str) -> None:
    assert [found for found in check(HEAD + program, RULE) if found.is_shown] == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(COUNTED, id="a Counter"),
        pytest.param(COUNTED.replace("collections.Counter()", '{"train": 0}'), id="a dict"),
        pytest.param(
            COUNTED.replace("collections.Counter()", "collections.defaultdict(int)"), id="a default"
        ),
    ],
)
def test_counts_of_calls(program: str) -> None:
    (finding,) = check(HEAD + program, RULE)
    assert finding.severity is Severity.WRONG
    assert finding.message == "`steps` is incremented only while `step` is traced, not at each call"
