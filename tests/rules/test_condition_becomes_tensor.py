"""GD316: must not fire, must fire."""

from inspect import cleandoc

import pytest

from checking import check

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
