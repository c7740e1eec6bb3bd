"""GD214: must not fire, must fire."""

from inspect import cleandoc

import pytest

from checking import check

RULE = "GD214"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            k = 1.0
            @tf.function
            def f(x): return x * k
            f(1)
            f(2)
            """,
            id="never rebound",
        ),
        pytest.param(
            """
            k = 1.0
            k = 2.0
            @tf.function
            def f(x): return x * k
            f(1)
            """,
            id="rebound before the first call",
        ),
        pytest.param(
            """
            k = 1.0
            @tf.function
            def f(x): return x * k
            f(1)
            k = 2.0
            """,
            id="rebound after the last call",
        ),
        pytest.param(
            """
            k = tf.Variable(1.0)
            @tf.function
            def f(x): return x * k
            f(1)
            k = 2.0
            f(1)
            """,
            id="a Variable",
        ),
        pytest.param(
            """
            k = 1.0
            @tf.function
            def f(x, k): return x * k
            f(1, 2)
            k = 2.0
            f(1, 2)
            """,
            id="a parameter of that name",
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
            k = 1.0
            @tf.function
            def f(x): return x * k
            f(1)
            k = 2.0
            f(1)
            """,
            id="between two calls",
        ),
        pytest.param(
            """
            k = 1.0
            @tf.function
            def f(x): return x * k
            def lower():
                global k
                k = 0.5
            f(1)
            lower()
            f(1)
            """,
            id="by a function",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
