"""GD902: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD902"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function(jit_compile=True)
            def f(x):
                a = tf.TensorArray(tf.float32, size=3)
                return a.stack()
            """,
            id="fixed size",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                a = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
                return a.stack()
            """,
            id="not compiled",
        ),
        pytest.param(
            """
            @tf.function(jit_compile=True)
            def f(x):
                a = tf.TensorArray(tf.float32, 0, dynamic_size=False)
                return a.stack()
            """,
            id="not dynamic",
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
                a = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
                return a.stack()
            """,
            id="size 0",
        ),
        pytest.param(
            """
            @tf.function(jit_compile=True)
            def f(x):
                a = tf.TensorArray(tf.float32, dynamic_size=True)
                return a.stack()
            """,
            id="no size",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
