"""GD408: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD408"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(n: int):
                if n > 0:
                    return f(n - 1)
                return n
            """,
            id="a Python number",
        ),
        pytest.param(
            """
            def f(n):
                if tf.abs(n) > 0:
                    return f(n - 1)
                return n
            """,
            id="not traced",
        ),
        pytest.param(
            """
            @tf.function
            def f(n):
                if tf.abs(n) > 0:
                    n = other.f(n)
                return n
            """,
            id="another function of that name",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, depth: int):
                if tf.reduce_sum(x) > 0:
                    x = x + 1.0
                if depth == 0:
                    return x
                return f(x, depth - 1)
            """,
            id="a Python number ends it",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, depth):
                if depth == 0:
                    return x
                if tf.reduce_sum(x) > 0:
                    return x
                return f(x * 2.0, depth - 1)
            """,
            id="a Python number ends it, and a tensor may before",
        ),
        pytest.param(
            """
            @tf.function
            def f(x, depth):
                if tf.reduce_sum(x) > 0:
                    if depth > 0:
                        x = f(x * 2.0, depth - 1)
                return x
            """,
            id="a Python number around the call",
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
            def f(n):
                if tf.abs(n) > 0:
                    n = f(n - 1)
                return n
            """,
            id="direct",
        ),
        pytest.param(
            """
            def g(n):
                if tf.abs(n) > 0:
                    n = g(n - 1)
                return n
            @tf.function
            def f(n): return g(n)
            """,
            id="in a helper",
        ),
        pytest.param(
            """
            @tf.function
            def f(n):
                if tf.abs(n) < 1:
                    return n
                return n * f(n - 1)
            """,
            id="after a branch that returns",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


def test_the_call_from_outside_says_what_the_argument_is() -> None:
    program = """
        @tf.function
        def f(n):
            if n <= 1:
                return tf.constant(1)
            return n * f(n - 1)
        """
    program = HEAD + cleandoc(program)
    assert check(program, RULE) == []
    assert check(program + "\nf(3)\n", RULE) == []
    assert [finding.rule for finding in check(program + "\nf(tf.constant(3))\n", RULE)] == [RULE]
