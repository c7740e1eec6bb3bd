"""GD901: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD901"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                tf.print(x)
                return x
            """,
            id="not compiled",
        ),
        pytest.param(
            """
            def g(x):
                tf.print(x)
            @tf.function(jit_compile=True)
            def f(x):
                return x
            @tf.function
            def h(x):
                g(x)
                return x
            """,
            id="also reached without XLA",
        ),
        pytest.param(
            """
            @tf.function(jit_compile=False)
            def f(x):
                tf.print(x)
                return x
            """,
            id="jit_compile=False",
        ),
        pytest.param(
            """
            @tf.function(jit_compile=True)
            def f(x): return x
            tf.print(f(1))
            """,
            id="outside",
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
            @tf.function(jit_compile=True)
            def f(x):
                tf.print(x)
                return x
            """,
            id="print",
        ),
        pytest.param(
            """
            def g(x):
                tf.print(x)
            @tf.function(jit_compile=True)
            def f(x):
                g(x)
                return x
            """,
            id="in a helper",
        ),
        pytest.param(
            """
            @tf.function(jit_compile=True)
            def f(x): return tf.py_function(abs, [x], tf.float32)
            """,
            id="py_function",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
