"""GD311: must not fire, must fire."""

import pytest
from tests.checking import check, fixed

RULE = "GD311"
HEAD = "import tensorflow as tf\n@tf.function\ndef f(x):\n  a = tf.TensorArray(tf.float32, size=3)\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(HEAD + "  a = a.write(0, x)", id="kept"),
        pytest.param(HEAD + "  return a.write(0, x).stack()", id="used at once"),
        pytest.param(HEAD + "  a.mark_used()", id="another method"),
        pytest.param(HEAD + "  file.write(x)", id="a file"),
        pytest.param(HEAD.replace("@tf.function\n", "") + "  a.write(0, x)", id="eager: it works there"),
        pytest.param(HEAD + "  a = open('x')\n  a.write('y')", id="bound to something else too"),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(program, RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        HEAD + "  a.write(0, x)",
        HEAD + "  for i in tf.range(3):\n    a.write(i, x)",
        HEAD + "  a.unstack(x)",
        HEAD + "  b = a.write(0, x)\n  b.write(1, x)\n  return b.stack()",
        "import tensorflow as tf\nclass M(tf.Module):\n  @tf.function\n  def f(self, x):\n"
        "    a = tf.TensorArray(tf.float32, 3)\n    a.write(0, x)",
    ],
)
def test_must_fire(program: str) -> None:
    assert len(check(program, RULE)) == 1


def test_fix_keeps_the_line() -> None:
    program = HEAD + "  if x is not None: a.write(0, x)  # note\n"
    assert fixed(program, RULE).endswith("  if x is not None: a = a.write(0, x)  # note\n")


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            "import tensorflow as tf\ndef put(a, x):\n  a.write(0, x)\n@tf.function\ndef f(x):\n"
            "  a = tf.TensorArray(tf.float32, 3)\n  put(a, x)\n  return a.stack()\n",
            id="a helper that hands nothing back",
        ),
        pytest.param(
            HEAD + "  def put():\n    a.write(0, x)\n  put()\n  return a.stack()\n",
            id="a name of the function around",
        ),
    ],
)
def test_no_fix_where_nobody_would_see_it(program: str) -> None:
    assert len(check(program, RULE)) == 1
    assert fixed(program, RULE) == program
