"""GD337: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD337"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function(autograph=False)
            def f(x): return tf.where(tf.reduce_sum(x) > 0, x, -x)
            """,
            id="tf.where",
        ),
        pytest.param(
            """
            @tf.function(autograph=False)
            def f(x, flag=True):
                if flag:
                    x += 1
                return x
            """,
            id="a Python condition",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                if tf.reduce_sum(x) > 0:
                    x += 1
                return x
            """,
            id="autograph is on",
        ),
        pytest.param(
            """
            @tf.function(autograph=False)
            def f(x):
                try:
                    if tf.reduce_sum(x) > 0:
                        x += 1
                except TypeError:
                    pass
                return x
            """,
            id="caught",
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
            @tf.function(autograph=False)
            def f(x):
                if tf.reduce_sum(x) > 0:
                    x += 1
                return x
            """,
            id="if",
        ),
        pytest.param(
            """
            def g(x):
                if tf.reduce_sum(x) > 0:
                    x += 1
                return x
            @tf.function(autograph=False)
            def f(x): return g(x)
            """,
            id="in a helper",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
