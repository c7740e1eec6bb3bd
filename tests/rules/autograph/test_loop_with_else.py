"""GD319: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD319"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(x):
                for i in range(3):
                    x += 1
                else:
                    x += 2
                return x
            """,
            id="no tensor decides anything",
        ),
        pytest.param(
            """
            def f(n):
                for i in tf.range(n):
                    pass
                else:
                    n += 1
                return n
            """,
            id="not traced",
        ),
        pytest.param(
            """
            @tf.function(autograph=False)
            def f(n):
                for i in tf.range(n):
                    pass
                else:
                    n += 1
                return n
            """,
            id="autograph is off anyway",
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
                for i in tf.range(n):
                    n += 1
                else:
                    n += 1
                return n
            """,
            id="for",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                for i in range(3):
                    x += 1
                else:
                    x += 2
                if tf.reduce_sum(x) > 0:
                    x += 1
                return x
            """,
            id="a Python loop beside a tensor if",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
