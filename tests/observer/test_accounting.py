"""Retraces that are benign one by one are reported when they are too many in total."""

import pytest
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

HEAD = "import itertools\nimport tensorflow as tf\n"

TOO_MANY = {
    "a tuple of flags": (
        "@tf.function\ndef f(x, flags):\n  return x * float(sum(flags))\n"
        "for flags in itertools.product([False, True], repeat=3):\n  f(tf.ones([2]), flags)\n",
        "flags",
    ),
    "a dict of flags": (
        "@tf.function\ndef f(x, options):\n  return x * float(sum(options.values()))\n"
        "for a, b, c in itertools.product([False, True], repeat=3):\n"
        "  f(tf.ones([2]), {'a': a, 'b': b, 'c': c})\n",
        "options",
    ),
    "two dtypes in item": (
        "@tf.function\ndef f(x):\n  return x * 2\nfor item in range(20):\n"
        "  f(tf.ones([2], tf.float32 if item % 2 else tf.float64))\n",
        "x",
    ),
}  # fmt: skip

FEW = {
    "one flag": (
        "@tf.function\ndef f(x, training):\n  return x * 2.0 if training else x\nfor item in range(20):\n"
        "  f(tf.ones([2]), item % 2 == 0)\n"
    ),
    "two flags, set early": (
        "@tf.function\ndef f(x, a, b):\n  return x * 2.0 if a and b else x\nfor item in range(40):\n"
        "  f(tf.ones([2]), item % 2 == 0, item % 4 < 2)\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TOO_MANY)
def test_they_are_one_finding(name: str, tensorflow: TensorFlowServer) -> None:
    program, argument = TOO_MANY[name]
    found = tensorflow.run(HEAD + program).report.findings
    assert [finding.argument for finding in found if finding.rule.startswith("GD1")] == [argument]


@pytest.mark.parametrize("name", FEW)
def test_a_choice_is_left_alone(name: str, tensorflow: TensorFlowServer) -> None:
    found = tensorflow.run(HEAD + FEW[name]).report.findings
    assert [finding for finding in found if finding.rule.startswith("GD1")] == []
