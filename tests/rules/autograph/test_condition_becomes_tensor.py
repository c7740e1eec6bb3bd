"""GD316: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check, fixed

RULE = "GD316"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                done = tf.constant(False)
                while not done:
                    done = tf.reduce_sum(x) > 5
                return x
            """,
            id="a tensor from the start",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                done = False
                while not done:
                    done = True
                return x
            """,
            id="stays Python",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, check):
                done = False
                while not done:
                    done = check(x)
                return x
            """,
            id="unknown",
        ),
        pytest.param(
            """
            def f(x):
                done = False
                while not done:
                    done = tf.reduce_sum(x) > 5
            """,
            id="not converted",
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
                done = False
                while not done:
                    done = tf.reduce_sum(x) > 5
                return x
            """,
            id="not done",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                more = True
                while more:
                    more = tf.reduce_sum(x) < 5
                return x
            """,
            id="going on",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


HALVING = """
@tf.function
def f(x):
    error, steps = 1.0, 0
    error = 1.0
    while error > 0.1 and steps < 9:
        half = x * 0.5
        error = tf.reduce_max(tf.abs(half - x))
        steps += 1
        x = half
    return x
"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(HALVING.replace("    error = 1.0\n", "    error = tf.constant(1.0)\n"), id="a tensor"),
        pytest.param(
            HALVING.replace("steps < 9", "steps < limit").replace("(x)", "(x, limit)", 1), id="a limit"
        ),
        pytest.param(HALVING.replace("steps < 9", "tf.reduce_max(x) > 1.0"), id="a tensor decides as well"),
        pytest.param(
            HALVING.replace("error = tf.reduce_max", "if x.shape[0] == 3: error = tf.reduce_max"), id="if"
        ),
        pytest.param(HALVING.replace("tf.reduce_max(tf.abs(half - x))", "error * 0.5"), id="stays a number"),
    ],
)
def test_must_not_fire_on_a_comparison(program: str) -> None:
    assert check(HEAD + program, RULE) == []


def test_a_number_that_is_compared() -> None:
    (finding,) = check(HEAD + HALVING, RULE)
    assert finding.message == (
        "`error` is a Python value when the loop starts and a tensor after the first iteration"
    )
    assert "    error = tf.constant(1.0)\n    while" in fixed(HEAD + HALVING, RULE)
