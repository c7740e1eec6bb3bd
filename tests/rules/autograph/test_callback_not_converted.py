"""GD340: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD340"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            def g(v):
                if tf.abs(v) > 0:
                    v = -v
                return v
            @tf.function
            def f(x): return tf.map_fn(g, x)
            """,
            id="map_fn is converted",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                def g(a, v):
                    if tf.abs(v) > 0:
                        a = -a
                    return a
                return tf.foldl(g, x)
            """,
            id="defined inside",
        ),
        pytest.param(
            """
            @tf.function
            def g(a, v):
                if tf.abs(v) > 0:
                    a = -a
                return a
            @tf.function
            def f(x): return tf.foldl(g, x)
            """,
            id="decorated",
        ),
        pytest.param(
            """
            def g(a, v):
                if tf.abs(v) > 0:
                    a = -a
                return a
            tf.foldl(g, tf.ones([3]))
            """,
            id="called eagerly only",
        ),
        pytest.param(
            """
            def g(a, v): return a + v
            @tf.function
            def f(x): return tf.foldl(g, x)
            """,
            id="no condition",
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
            def g(a, v):
                if tf.abs(v) > 0:
                    a = -a
                return a
            @tf.function
            def f(x): return tf.foldl(g, x)
            """,
            id="foldl",
        ),
        pytest.param(
            """
            def g(v):
                if tf.abs(v) > 0:
                    v = -v
                return v
            @tf.function
            def f(x): return tf.vectorized_map(g, x)
            """,
            id="vectorized_map",
        ),
        pytest.param(
            """
            @tf.custom_gradient
            def g(v):
                if tf.reduce_sum(v) > 0:
                    v = -v
                return v, lambda d: d
            @tf.function
            def f(x): return g(x)
            """,
            id="custom_gradient",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
