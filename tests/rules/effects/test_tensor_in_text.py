"""GD211: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

from graphdoctor.model import Severity

RULE = "GD211"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                y = tf.abs(x)
                raise ValueError(f'{y}')
            """,
            id="an exception",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                y = tf.abs(x)
                name = f'{y.shape}'
                return y
            """,
            id="the shape",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                for i in range(3):
                    name = f'layer_{i}'
                return x
            """,
            id="a number",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                print(f'{tf.abs(x)}')
                return x
            """,
            id="print is another rule",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                tf.debugging.assert_positive(x, message=f'{tf.abs(x)}')
                return x
            """,
            id="an assertion's message",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                name = f'{x}'
                return x
            """,
            id="unknown",
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
            @tf.function
            def f(x):
                return tf.constant(str(tf.abs(x)))
            """,
            id="str",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                return tf.constant('{}'.format(tf.abs(x)))
            """,
            id="format",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


@pytest.mark.parametrize(
    "text", ["f'{tf.reduce_sum(x):.3f}'", "'%.3f' % tf.reduce_sum(x)", "'{:.3f}'.format(tf.reduce_sum(x))"]
)
def test_what_python_is_to_format_raises_wherever_it_goes(text: str) -> None:
    head = HEAD + "@tf.function\ndef f(x):\n"
    for use in ("  name = {}\n  return x", "  return tf.constant({})"):
        (finding,) = check(head + use.format(text) + "\nf(tf.ones(2))", RULE)
        assert finding.severity is Severity.ERROR
        assert "cannot be formatted" in finding.message
    assert check(head + f"  print({text})\n  return x", RULE) == []


@pytest.mark.parametrize("text", ["f'{tf.abs(x)!r:>9} {x.shape[0]:d}'", "'{:d} {}'.format(3, tf.abs(x))"])
def test_a_format_for_something_else_does_not_raise(text: str) -> None:
    assert check(HEAD + f"@tf.function\ndef f(x):\n  name = {text}\n  return x", RULE) == []
