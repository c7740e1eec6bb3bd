"""GD321: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD321"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            def g(x):
                yield x
            @tf.function
            def f(x): return list(g(x))
            """,
            id="no tensor decides anything",
        ),
        pytest.param(
            """
            def g(x):
                if tf.reduce_sum(x) > 0:
                    yield x
            """,
            id="not traced",
        ),
        pytest.param(
            """
            def g():
                x = tf.ones([2])
                if tf.reduce_sum(x) > 0:
                    yield x
            ds = tf.data.Dataset.from_generator(g, output_signature=s)
            """,
            id="for from_generator",
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
            def g(x):
                if tf.reduce_sum(x) > 0:
                    yield x
            @tf.function
            def f(x): return list(g(x))
            """,
            id="if",
        ),
        pytest.param(
            """
            def g(n):
                for i in tf.range(n):
                    yield i
            @tf.function
            def f(n): return list(g(n))
            """,
            id="for",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
