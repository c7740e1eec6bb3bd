"""GD114: must not fire, must fire."""
# ruff: noqa: E501

import pytest
from tests.checking import marked
from tests.running import TensorFlowServer

RULE = "GD114"
HEAD = "import tensorflow as tf\n@tf.function\ndef f(x, mask=None): return x\none = tf.ones([2])\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("for i in range(9): f([one, one])", id="one length"),
        pytest.param("for i in range(9): f(one, None if i == 0 else one)", id="None first, then a tensor"),
        pytest.param("for i in range(9): f(one, one if i % 2 else None)", id="with and without a mask"),
        pytest.param("for n in (1, 2, 3): f([one] * n)", id="few lengths"),
        pytest.param("for i in range(9): f({'a': one, 'b': one})", id="one set of keys"),
        pytest.param("for batch in batches: f(batch)", id="who knows"),
        pytest.param(
            "kept = []\nfor i in range(9): kept.append(one)\nf(kept)", id="called once, when it is full"
        ),
        pytest.param(
            "kept = []\nfor i in range(9):\n  kept.append(one)\n  f(tf.stack(kept[-1:]))", id="a tensor of it"
        ),
        pytest.param(
            "for i in range(9):\n  kept = []\n  for j in range(3): kept.append(one)\n  f(kept)",
            id="full each time",
        ),
        pytest.param("import numpy as np\nfor i in range(9): f(np.arange(4).tolist())", id="one list"),
        pytest.param(
            "kept = []\nfor i in range(40):\n  kept.append(one)\n  if i % 4 == 3:\n    f(kept)\n    kept = []",
            id="filled, used and begun again",
        ),
        pytest.param(
            "def batches(n):\n  kept = []\n  for i in range(40):\n    kept.append(one)\n    if len(kept) == n:\n"
            "      yield kept\n      kept = []\nfor batch in batches(4): f(batch)",
            id="batches that a generator fills",
        ),
        pytest.param(
            "class Buffer:\n  def __init__(self, n): self.n, self.rows = n, []\n  def push(self, row):\n"
            "    self.rows.append(row)\n    if len(self.rows) == self.n:\n"
            "      full, self.rows = self.rows, []\n      return full\n"
            "buffer = Buffer(4)\nfor i in range(40):\n  full = buffer.push(one)\n  if full: f(full)",
            id="a buffer that begins again when it is full",
        ),
        pytest.param(
            "n = len(open('a.txt').read())\nfor i in range(9): f([one] * n)", id="one unknown length"
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert marked(HEAD + program, RULE) == []


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("kept = []\nfor i in range(9):\n  kept.append(one)\n  f(kept)", "kept"),
        ("kept = []\nfor i in range(9):\n  kept += [one]\n  f(x=kept)", "kept"),
        ("kept = []\nwhile True:\n  kept = kept + [one]\n  f(kept)", "kept"),
        ("for i in range(9):\n  kept = []\n  for j in range(9):\n    kept.append(one)\n    f(kept)", "kept"),
        ("for n in range(1, 6): f([one] * n)", "[one] * n"),
        ("for n in range(3, 99): f([5] * n)", "[5] * n"),
        (
            "import numpy as np\nrng = np.random.default_rng(0)\n"
            "for n in rng.integers(3, 20, size=40): f(rng.integers(0, 9, size=int(n)).tolist())",
            "rng.integers(0, 9, size=int(n)).tolist()",
        ),
        (
            "class Memory:\n  def __init__(self): self.rows = []\n  def push(self, row):\n"
            "    self.rows.append(row)\n    return f(self.rows)\n"
            "memory = Memory()\nfor i in range(99): memory.push(one)",
            "self.rows",
        ),
    ],
)
def test_must_fire(program: str, expected: str) -> None:
    assert marked(HEAD + program, RULE) == [expected]


STEP = "import tensorflow as tf\n@tf.function\ndef f(x, state):\n  if state is None:\n    state = tf.zeros([2])\n  return x, state + x\n"
HANDED_ON = {
    "a state": STEP + "state = None\nfor i in range(9):\n  y, state = f(tf.ones([2]), state)\n",
    "an attribute": (
        STEP + "class Cell:\n  def __init__(self):\n    self.state = None\n  def step(self, x):\n"
        "    y, self.state = f(x, self.state)\n    return y\ncell = Cell()\nfor i in range(9):\n  cell.step(tf.ones([2]))\n"
    ),
    "again in each episode": (
        STEP + "def run(n):\n  state = None\n  for i in range(n):\n    y, state = f(tf.ones([2]), state=state)\n"
        "for episode in range(3):\n  run(4)\n"
    ),
}  # fmt: skip
CHOSEN = {
    "with and without a mask": STEP + "for i in range(12):\n  f(tf.ones([2]), None if i == 0 else tf.ones([2]))\n",
    "zeros at first": STEP + "state = tf.zeros([2])\nfor i in range(9):\n  y, state = f(tf.ones([2]), state)\n",
    "two modes of a program": (
        STEP + "for i in range(9):\n  f(tf.ones([2]), None)\nfor i in range(9):\n  f(tf.ones([2]), tf.ones([2]))\n"
    ),
    "another function's result": (
        STEP + "@tf.function\ndef g(x): return x * 2.0\nstate = None\nfor i in range(9):\n"
        "  f(tf.ones([2]), state)\n  state = g(tf.ones([2]))\n"
    ),
}  # fmt: skip


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", HANDED_ON)
def test_a_state_that_is_none_at_first_is_reported_in_a_run(name: str, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(HANDED_ON[name])
    assert ran.error is None, ran.output
    (found,) = [finding for finding in ran.report.findings if finding.rule == RULE]
    assert (found.argument, found.message.partition(" because ")[2]) == (
        "state",
        "`state` is None at first and then its own result",
    )


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", CHOSEN)
def test_none_that_is_a_choice_is_not_reported(name: str, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(CHOSEN[name])
    assert ran.error is None, ran.output
    assert [finding for finding in ran.report.findings if finding.rule == RULE] == []


def test_the_source_alone_does_not_tell_a_state_that_is_none_at_first() -> None:
    assert [marked(program, RULE) for program in HANDED_ON.values()] == [[], [], []]
