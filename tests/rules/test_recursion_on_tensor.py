"""GD408: must not fire, must fire."""

from inspect import cleandoc

import pytest

from checking import check

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
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
