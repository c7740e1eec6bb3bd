"""GD903: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD903"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                tf.debugging.assert_positive(x)
                return x
            """,
            id="not compiled",
        ),
        pytest.param(
            """
            @tf.function(jit_compile=True)
            def f(x): return x
            tf.debugging.assert_positive(f(1))
            """,
            id="outside",
        ),
        pytest.param(
            """
            @tf.function(jit_compile=True)
            def f(x): return tf.debugging.check_numerics(x, 'm')
            """,
            id="another function of tf.debugging",
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
                tf.debugging.assert_positive(x)
                return x
            """,
            id="assert_",
        ),
        pytest.param(
            """
            @tf.function(jit_compile=True)
            def f(x):
                tf.Assert(x > 0, [x])
                return x
            """,
            id="Assert",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
