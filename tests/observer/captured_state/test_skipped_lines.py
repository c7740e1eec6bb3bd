"""State that stands in a branch which the trace did not take was not read, and cannot be stale."""
# ruff: noqa: E501

import pytest
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

HEAD = "import tensorflow as tf\n"
MODULE = (
    "class M:\n  def __init__(self):\n    self.on, self.rate = False, 1.0\n"
    "  def scaled(self, x):\n    return x * self.rate\n"
    "  @tf.function\n  def __call__(self, x):\nBODY\n"
    "m = M()\nfor item in range(6):\n  m(tf.ones([2]))\n  m.rate = float(item)\n"
)


def module(*body: str) -> str:
    return HEAD + MODULE.replace("BODY", "\n".join(f"    {line}" for line in body))


# What the trace passed by.
UNREAD = {
    "a branch that was not taken": module("if self.on:", "  x = x * self.rate", "return x"),
    "the other branch": module("if not self.on:", "  return x", "else:", "  return x * self.rate"),
    "what comes after a return": module("if not self.on:", "  return -x", "y = x * self.rate", "return y"),
    "a helper that only such a branch calls": module("if self.on:", "  x = self.scaled(x)", "return x"),
    "a branch in a branch": module("if not self.on:", "  if self.on:", "    x = x * self.rate", "return x"),
    "a helper's helper": HEAD + (
        "rate, on = 1.0, False\ndef scaled(x): return x * rate\ndef helped(x): return scaled(x)\n"
        "@tf.function\ndef f(x):\n  if on:\n    return helped(x)\n  return x\n"
        "for item in range(6):\n  f(tf.ones([2]))\n  rate = float(item)\n"
    ),
    "a branch of a function given to `map`": HEAD + (
        "on, rate = False, 1.0\ndef prepare(x):\n  if on:\n    x = x * rate\n  return x\n"
        "data = tf.data.Dataset.from_tensor_slices(tf.ones([4])).map(prepare)\n"
        "for item in range(3):\n  list(data)\n  rate = float(item)\n"
    ),
}  # fmt: skip

# name: program, the state, the line that reads it
READ = {
    "the branch that was taken": (module("if not self.on:", "  x = x * self.rate", "return x"), "self.rate", 10),
    "also outside of the branch": (
        module("if self.on:", "  x = x * self.rate", "return x + self.rate"), "self.rate", 11
    ),
    "a helper that is called elsewhere too": (
        module("if self.on:", "  x = self.scaled(x)", "return self.scaled(x)"), "self.rate", 6
    ),
    "a branch that the graph takes": (
        module("if tf.reduce_sum(x) > 100.0:", "  x = x * self.rate", "return x"), "self.rate", 10
    ),
    "a branch that one iteration of a loop takes": (
        module("for item in [0, 1]:", "  if item == 1:", "    x = x * self.rate", "  else:", "    x = -x", "return x"),
        "self.rate",
        11,
    ),
    "what comes after a return that was not taken": (
        module("if self.on:", "  return -x", "y = x * self.rate", "return y"), "self.rate", 11
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNREAD)
def test_what_was_passed_by_is_not_reported(name: str, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(UNREAD[name])
    assert ran.error is None, ran.output
    assert ran.recording.problems == ()
    assert [(f.rule, f.argument) for f in ran.report.findings if f.rule in ("GD214", "GD215")] == []


@pytest.mark.parametrize("name", READ)
def test_what_was_read_is_reported(name: str, tensorflow: TensorFlowServer) -> None:
    text, state, line = READ[name]
    ran = tensorflow.run(text)
    assert ran.error is None, ran.output
    assert ran.recording.problems == ()
    found = [f for f in ran.report.findings if f.rule in ("GD214", "GD215")]
    assert [(f.argument, f.line) for f in found] == [(state, line)]
    assert found[0].observed is not None
