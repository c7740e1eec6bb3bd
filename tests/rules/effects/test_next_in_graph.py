"""GD210: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD210"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            it = iter(tf.data.Dataset.range(3))
            @tf.function
            def f(x): return x + next(it)
            """,
            id="a dataset's iterator",
        ),
        pytest.param(
            """
            @tf.function
            def f(it): return next(it)
            """,
            id="unknown iterator",
        ),
        pytest.param(
            """
            it = iter([1])
            def f(x): return x + next(it)
            """,
            id="not traced",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                it = iter([1, 2])
                return x + next(it)
            """,
            id="made in the function",
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
            import itertools
            numbers = itertools.count()
            @tf.function
            def f(x): return x + next(numbers)
            """,
            id="itertools",
        ),
        pytest.param(
            """
            def g():
                yield 1
            it = g()
            @tf.function
            def f(x): return x + next(it)
            """,
            id="generator",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
