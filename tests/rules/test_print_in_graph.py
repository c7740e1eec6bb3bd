"""GD201: must not fire, must fire."""

import pytest

from checking import check, fixed
from graphdoctor.model import Safety

RULE = "GD201"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("def f(x): print(x)", id="not traced"),
        pytest.param("@tf.function\ndef f(x): tf.print(x)", id="the right one"),
        pytest.param("@tf.function\ndef f(x): print('Tracing with', x)", id="reports tracing"),
        pytest.param("@tf.function\ndef f(x): print(f'retraced for {x}')", id="reports tracing, f-string"),
        pytest.param("@tf.function\ndef f(x): return x\nprint(f(1))", id="outside"),
        pytest.param("@tf.function\ndef f(x): print('x', x.shape, x.dtype)", id="only what is static"),
        pytest.param("from rich import print\n@tf.function\ndef f(x): print(x)", id="another print"),
        pytest.param("@tf.function\ndef f(x, print): print(x)", id="a parameter called print"),
        pytest.param("@tf.function\ndef f(x): log.print(x)", id="a method called print"),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(HEAD + program, RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        "@tf.function\ndef f(x): print(x)",
        "@tf.function(jit_compile=True)\ndef f(x):\n  if x > 0:\n    print('yes')",
        "class M(tf.Module):\n  @tf.function\n  def f(self, x): print(x)",
        "def f(x): print(x)\ng = tf.function(f)",
        "g = tf.function(lambda x: print(x))",
        "@tf.function\ndef f(x):\n  def inner(y): print(y)\n  inner(x)",
    ],
)
def test_must_fire(program: str) -> None:
    assert len(check(HEAD + program, RULE)) == 1


def test_three_prints_are_three_findings() -> None:
    assert len(check(HEAD + "@tf.function\ndef f(x):\n" + "  print(x)\n" * 3, RULE)) == 3


def test_fix_keeps_options_that_tf_print_has() -> None:
    program = HEAD + "@tf.function\ndef f(x):\n    print('a', x, sep='')  # why\n"
    assert fixed(program, RULE).endswith("    tf.print('a', x, sep='')  # why\n")


@pytest.mark.parametrize(
    "call", ["print(f'{x}')", "print('%s' % x)", "print('{}'.format(x))", "print(x, file=e)"]
)
def test_no_fix_for_text_that_tf_print_would_not_fill_in(call: str) -> None:
    (finding,) = check(HEAD + f"@tf.function\ndef f(x): {call}", RULE)
    assert finding.fix is not None
    assert finding.fix.safety is Safety.MANUAL
