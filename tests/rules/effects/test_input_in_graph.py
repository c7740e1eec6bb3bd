"""GD218: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD218"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("def f(x): return x * float(input())", id="not traced"),
        pytest.param(
            """
            @tf.function
            def f(x, input): return x * input()
            """,
            id="another input",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return x
            f(tf.constant(float(input())))
            """,
            id="asked outside",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return tf.py_function(lambda v: v * float(input()), [x], tf.float32)
            """,
            id="in py_function",
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
            def f(x): return x * float(input())
            """,
            id="in the function",
        ),
        pytest.param(
            """
            def ask(): return float(input("factor? "))
            @tf.function
            def f(x): return x * ask()
            """,
            id="through a helper",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
